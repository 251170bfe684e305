/** Every wallet action of viem, over HTTP and over WebSocket, and the node's own keys. */
import {
  parseTransaction,
  recoverMessageAddress,
  recoverTypedDataAddress,
  walletActions,
  type Hash,
  type WalletActions,
} from 'viem'
import { abi, absent, actOnBoth, alice, bob, permitToken, type Act, type Stage } from '../helpers/viemStage.ts'

const id = `0x${'11'.repeat(32)}` as const
const typed = {
  domain: { name: 'Demo', chainId: 31337 },
  types: { Note: [{ name: 'text', type: 'string' }] },
  primaryType: 'Note',
  message: { text: 'hi' },
} as const
const transfer = (stage: Stage) => ({ address: stage.token, abi, functionName: 'transfer', args: [bob, 1n] }) as const

async function statusOf({ client }: Stage, hash: Hash): Promise<string> {
  return (await client.waitForTransactionReceipt({ hash })).status
}

/** What is done with each action, or why it is not. */
const acts: Record<keyof WalletActions, Act | string> = {
  addChain: absent(({ client }) => client.addChain({ chain: client.chain })),
  deployContract: async (t, stage) => {
    const hash = await stage.client.deployContract({ abi, bytecode: permitToken() })
    t.is(await statusOf(stage, hash), 'success')
  },
  fillTransaction: absent(({ client }) => client.fillTransaction({ to: bob, value: 1n })),
  getAddresses: async (t, { client }) => {
    t.deepEqual(await client.getAddresses(), [alice.address])
  },
  getCallsStatus: async (t, { client }) => {
    const sent = await client.sendCalls({ calls: [{ to: bob }] })
    t.like(await client.getCallsStatus(sent), {
      id: sent.id,
      status: 'success',
      statusCode: 200,
      atomic: false,
      receipts: { length: 1 },
    })
  },
  getCapabilities: async (t, { client }) => {
    t.deepEqual(await client.getCapabilities(), { 31337: { atomic: { status: 'unsupported' } } })
  },
  getChainId: async (t, { client }) => {
    t.is(await client.getChainId(), 31337)
  },
  getPermissions: absent(({ client }) => client.getPermissions()),
  prepareAuthorization: async (t, { client }) => {
    const nonce = await client.getTransactionCount({ address: alice.address })
    const prepared = await client.prepareAuthorization({ contractAddress: bob })
    t.like(prepared, { address: bob, chainId: 31337, nonce })
  },
  prepareTransactionRequest: async (t, { client }) => {
    const { gas, chainId } = await client.prepareTransactionRequest({ to: bob, value: 1n })
    t.deepEqual([gas, chainId], [21_000n, 31337])
  },
  requestAddresses: async (t, { client }) => {
    const addresses = await client.requestAddresses()
    t.deepEqual(addresses.slice(0, 2), [alice.address, bob])
  },
  requestPermissions: absent(({ client }) => client.requestPermissions({ eth_accounts: {} })),
  sendCalls: async (t, { client }) => {
    const before = await client.getBalance({ address: bob })
    const { id } = await client.sendCalls({
      calls: [
        { to: bob, value: 1n },
        { to: bob, value: 2n },
      ],
    })
    const { status, receipts = [] } = await client.waitForCallsStatus({ id })
    t.deepEqual([status, receipts.length], ['success', 2])
    t.is(await client.getBalance({ address: bob }), before + 3n)
  },
  sendCallsSync: async (t, { client }) => {
    t.is((await client.sendCallsSync({ calls: [{ to: bob }] })).status, 'success')
  },
  sendRawTransaction: async (t, stage) => {
    const { client } = stage
    const request = await client.prepareTransactionRequest({ to: bob, value: 2n })
    const serializedTransaction = await client.signTransaction(request)
    const hash = await client.sendRawTransaction({ serializedTransaction })
    t.is(await statusOf(stage, hash), 'success')
  },
  sendRawTransactionSync: async (t, { client }) => {
    const request = await client.prepareTransactionRequest({ to: bob, value: 2n })
    const serializedTransaction = await client.signTransaction(request)
    t.is((await client.sendRawTransactionSync({ serializedTransaction })).status, 'success')
  },
  // Once signed here, once by the node, which has the key of this account.
  sendTransaction: async (t, stage) => {
    const { client } = stage
    t.is(await statusOf(stage, await client.sendTransaction({ to: bob, value: 1n })), 'success')
    const byNode = await client.sendTransaction({ account: bob, to: alice.address, value: 1n })
    t.is((await client.waitForTransactionReceipt({ hash: byNode })).from, bob.toLowerCase() as typeof bob)
  },
  sendTransactionSync: async (t, { client }) => {
    t.is((await client.sendTransactionSync({ to: bob, value: 1n })).status, 'success')
  },
  // A wallet would show the batch; here only its id is checked.
  showCallsStatus: async (t, { client }) => {
    const sent = await client.sendCalls({ calls: [{ to: bob }] })
    await t.notThrowsAsync(client.showCallsStatus(sent))
    await t.throwsAsync(client.showCallsStatus({ id }), { name: 'UnknownBundleIdError' })
  },
  signAuthorization: async (t, stage) => {
    const { client, token } = stage
    const signed = await client.signAuthorization({ contractAddress: token, executor: 'self' })
    const hash = await client.sendTransaction({ to: bob, value: 1n, authorizationList: [signed] })
    t.is(await statusOf(stage, hash), 'success')
    const delegated = await client.getDelegation({ address: alice.address })
    t.is(delegated?.toLowerCase(), token)
  },
  signMessage: async (t, { client }) => {
    for (const [account, by] of [
      [alice, alice.address],
      [bob, bob],
    ] as const) {
      const signature = await client.signMessage({ account, message: 'hi' })
      t.is(await recoverMessageAddress({ message: 'hi', signature }), by)
    }
  },
  signTransaction: async (t, { client }) => {
    const request = await client.prepareTransactionRequest({ to: bob, value: 3n })
    t.is(parseTransaction(await client.signTransaction(request)).value, 3n)
  },
  signTypedData: async (t, { client }) => {
    const signature = await client.signTypedData(typed)
    t.is(await recoverTypedDataAddress({ ...typed, signature }), alice.address)
  },
  switchChain: absent(({ client }) => client.switchChain({ id: 1 })),
  token: async (t, { client, token }) => {
    const { receipt } = await client.token.transferSync({ token, to: bob, amount: 1n })
    t.is(receipt.status, 'success')
    await client.token.approveSync({ token, spender: bob, amount: 7n })
    t.like(await client.token.getAllowance({ token, account: alice.address, spender: bob }), {
      amount: 7n,
    })
  },
  waitForCallsStatus: async (t, { client }) => {
    await t.throwsAsync(client.waitForCallsStatus({ id, retryCount: 0 }), { message: /no batch/ })
    const sent = await client.sendCalls({ calls: [{ to: bob }] })
    t.is((await client.waitForCallsStatus(sent)).status, 'success')
  },
  watchAsset: absent(({ client, token }) =>
    client.watchAsset({ type: 'ERC20', options: { address: token, symbol: 'D', decimals: 18 } }),
  ),
  writeContract: async (t, stage) => {
    t.is(await statusOf(stage, await stage.client.writeContract(transfer(stage))), 'success')
  },
  writeContractSync: async (t, stage) => {
    t.is((await stage.client.writeContractSync(transfer(stage))).status, 'success')
  },
}

actOnBoth(acts, walletActions)
