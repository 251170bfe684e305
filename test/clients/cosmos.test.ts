import { Secp256k1HdWallet } from '@cosmjs/amino'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { GasPrice, SigningStargateClient, StargateClient } from '@cosmjs/stargate'
import { Comet38Client } from '@cosmjs/tendermint-rpc'
import test from 'ava'
import { createPublicClient, createWalletClient, http, type Abi, type Address, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { demoToken } from '../helpers/contracts.ts'
import { CosmjsSocket } from '../helpers/cosmjsSocket.ts'
import { chainOf, eventually, startLocal } from '../helpers/server.ts'

const phrase = 'test test test test test test test test test test test junk'
const recipient = 'cosmos1cml96vmptgw99syqrrz8az79xer2pcgp95srxm'
const recipientHex = '0xC6Fe5D33615a1C52c08018c47E8Bc53646A0E101'
const gasPrice = GasPrice.fromString('2000000000atest')

test('cosmjs reads the chain', async (t) => {
  await using server = await startLocal()
  const client = await StargateClient.connect(server.urls.comet)
  t.is(await client.getChainId(), 'chainstage-1')
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(phrase)
  const [account] = await wallet.getAccounts()
  t.deepEqual(await client.getBalance(account?.address ?? '', 'atest'), {
    denom: 'atest',
    amount: `1${'0'.repeat(22)}`,
  })
  t.is((await client.getAccount(account?.address ?? ''))?.sequence, 0)
})

const sends = test.macro(async (t, walletOf: () => Promise<DirectSecp256k1HdWallet | Secp256k1HdWallet>) => {
  await using server = await startLocal()
  const wallet = await walletOf()
  const [account] = await wallet.getAccounts()
  const sender = account?.address ?? ''
  const client = await SigningStargateClient.connectWithSigner(server.urls.comet, wallet, {
    gasPrice,
    broadcastPollIntervalMs: 20,
  })
  const sent = await client.sendTokens(sender, recipient, [{ denom: 'atest', amount: '12345' }], 1.5)
  t.is(sent.code, 0, sent.rawLog)
  t.is((await client.getTx(sent.transactionHash))?.height, sent.height)
  const found = await client.searchTx([{ key: 'transfer.recipient', value: recipient }])
  t.deepEqual(
    found.map((tx) => tx.hash),
    [sent.transactionHash],
  )
  const reader = createPublicClient({ transport: http(server.urls.eth) })
  t.is(await reader.getBalance({ address: recipientHex }), 12345n)
})

test('cosmjs sends with direct signing, and Ethereum sees the coins', sends, () =>
  DirectSecp256k1HdWallet.fromMnemonic(phrase),
)
test('cosmjs sends with amino signing, and Ethereum sees the coins', sends, () =>
  Secp256k1HdWallet.fromMnemonic(phrase),
)

test('cosmjs hears of blocks and transactions over its WebSocket', async (t) => {
  await using server = await startLocal()
  const comet = Comet38Client.create(new CosmjsSocket(server.urls.comet))
  const blocks: number[] = []
  const txs: Uint8Array[] = []
  comet.subscribeNewBlock().subscribe({
    next: (event) => {
      blocks.push(event.header.height)
    },
  })
  comet.subscribeTx().subscribe({
    next: (event) => {
      txs.push(event.tx)
    },
  })
  // cosmjs connects anew when this process was too busy to hear its first connection open.
  await eventually(() => [...server.simulation().node.subscriptions.comet.values()].some((own) => own.length === 2))
  const writer = createWalletClient({
    transport: http(),
    account: mnemonicToAccount(phrase),
    chain: chainOf(server.urls.eth),
  })
  await writer.sendTransaction({ to: recipientHex, value: 1n })
  await eventually(() => txs.length === 1 && blocks.includes(2))
  t.is(txs.length, 1)
  comet.disconnect()
})

test('an ERC-20 transfer is the same thing on CometBFT RPC', async (t) => {
  await using server = await startLocal()
  const chain = chainOf(server.urls.eth)
  const writer = createWalletClient({ transport: http(), account: mnemonicToAccount(phrase), chain })
  const reader = createPublicClient({ transport: http(server.urls.eth) })
  const { abi, bytecode } = demoToken() as { abi: Abi; bytecode: Hex }
  const deployed = await reader.waitForTransactionReceipt({
    hash: await writer.deployContract({ abi, bytecode, args: [] }),
  })
  const hash = await writer.writeContract({
    address: deployed.contractAddress as Address,
    abi,
    functionName: 'transfer',
    args: [recipientHex, 9n],
  })
  const receipt = await reader.waitForTransactionReceipt({ hash })

  const comet = await Comet38Client.connect(server.urls.comet)
  const { txs } = await comet.txSearch({ query: `ethereum_tx.ethereumTxHash='${hash}'` })
  t.is(txs.length, 1)
  const [found] = txs
  t.is(BigInt(found?.height ?? 0), receipt.blockNumber)
  t.is((await comet.tx({ hash: found?.hash ?? new Uint8Array() })).result.code, 0)
  const results = await comet.blockResults(found?.height)
  const attributes = results.results[0]?.events.flatMap((event) => event.attributes) ?? []
  t.true(attributes.some(({ key, value }) => key === 'ethereumTxHash' && value === hash))
  const { block } = await comet.block(found?.height)
  t.is(`0x${Buffer.from((await comet.block(found?.height)).blockId.hash).toString('hex')}`, receipt.blockHash)
  t.is(block.txs.length, 1)
  comet.disconnect()
})
