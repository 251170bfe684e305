/** What ethers can ask of a node, over HTTP and over WebSocket, and its signers of both kinds. */
import test, { type ExecutionContext } from 'ava'
import {
  Contract,
  ContractFactory,
  JsonRpcProvider,
  JsonRpcSigner,
  Network,
  NonceManager,
  Transaction,
  Wallet,
  WebSocketProvider,
  isError,
  verifyMessage,
  verifyTypedData,
  type JsonRpcApiProvider,
  type Log,
  type TransactionReceipt,
} from 'ethers'
import { allGone, eventually, startLocal } from '../helpers/server.ts'
import { permitToken } from '../helpers/viemStage.ts'
import type { Server } from '../../src/index.ts'

const aliceKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const forms = [
  'function transfer(address to, uint256 amount) returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]
const typed = [{ name: 'Demo', chainId: 31337 }, { Note: [{ name: 'text', type: 'string' }] }, { text: 'hi' }] as const

type Kind = 'http' | 'ws'
type Stage = {
  readonly server: Server
  readonly provider: JsonRpcApiProvider
  readonly wallet: NonceManager
  readonly token: Contract
  readonly address: string
  readonly sent: TransactionReceipt
}
type Act = (t: ExecutionContext, stage: Stage) => Promise<void>
const [local, ens] = ['it asks nothing of the node', 'no chain of ours has the contracts of ENS']

function absent(ask: (stage: Stage) => Promise<unknown>): Act {
  return async (t, stage) => {
    const error = await t.throwsAsync(ask(stage))
    const isRefused = isError(error, 'UNSUPPORTED_OPERATION')
    t.true(isRefused || /does not exist/.test(String(error)), `${error}`)
  }
}

async function transferOne({ token }: Stage): Promise<void> {
  await (await token.getFunction('transfer').send(bob, 1n)).wait()
}

const heard: Act = async (t, stage) => {
  const { provider, address } = stage
  const blocks: number[] = []
  const logs: string[] = []
  await provider.on('block', (number: number) => blocks.push(number))
  await provider.on({ address }, (log: Log) => logs.push(log.transactionHash))
  await eventually(async () => {
    await transferOne(stage)
    return blocks.length > 0 && logs.length > 0
  })
  t.regex(logs[0] ?? '', /^0x[0-9a-f]{64}$/)
  await provider.removeAllListeners()
}

const providerActs: Readonly<Record<string, Act | string>> = {
  addListener: 'it is on',
  attachPlugin: local,
  constructor: local,
  destroy: local,
  emit: local,
  getPlugin: local,
  getRpcError: local,
  getRpcRequest: local,
  getRpcTransaction: local,
  listenerCount: local,
  listeners: local,
  off: local,
  pause: local,
  removeAllListeners: local,
  removeListener: local,
  resume: local,
  ccipReadFetch: 'it asks a server of the web',
  getAvatar: ens,
  getResolver: ens,
  lookupAddress: ens,
  resolveName: ens,
  broadcastTransaction: async (t, { provider, wallet }) => {
    const signed = await wallet.signer.signTransaction({
      ...(await wallet.populateTransaction({ to: bob, value: 1n })),
      from: alice,
    })
    wallet.increment()
    const sent = await provider.broadcastTransaction(signed)
    t.is((await sent.wait())?.status, 1)
  },
  call: async (t, { provider, address }) => {
    t.is(BigInt(await provider.call({ to: address, data: '0x313ce567' })), 18n)
  },
  estimateGas: async (t, { provider }) => {
    t.is(await provider.estimateGas({ from: alice, to: bob, value: 1n }), 21_000n)
  },
  getBalance: async (t, { provider }) => {
    t.is(await provider.getBalance(bob, 1), 10_000n * 10n ** 18n)
  },
  getBlock: async (t, { provider, sent }) => {
    const byHash = await provider.getBlock(sent.blockHash, true)
    t.deepEqual(
      byHash?.prefetchedTransactions.map((one) => one.hash),
      [sent.hash],
    )
    t.deepEqual((await provider.getBlock(sent.blockNumber))?.transactions, [sent.hash])
    t.true((await provider.getBlock('pending'))?.number !== 0)
  },
  getBlockNumber: async (t, { provider, sent }) => {
    t.true((await provider.getBlockNumber()) >= sent.blockNumber)
  },
  getCode: async (t, { provider, address }) => {
    t.regex(await provider.getCode(address), /^0x60/)
  },
  getFeeData: async (t, { provider }) => {
    const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = await provider.getFeeData()
    t.true([gasPrice, maxFeePerGas, maxPriorityFeePerGas].every((fee) => typeof fee === 'bigint'))
  },
  getLogs: async (t, { provider, address, sent: { blockHash, hash } }) => {
    const logs = await provider.getLogs({ address, blockHash })
    t.deepEqual(
      logs.map((log) => log.transactionHash),
      [hash],
    )
  },
  getNetwork: async (t, { provider }) => {
    t.is((await provider.getNetwork()).chainId, 31337n)
  },
  getSigner: async (t, { provider }) => {
    t.is(await (await provider.getSigner(1)).getAddress(), bob)
  },
  getStorage: async (t, { provider, address }) => {
    t.is(BigInt(await provider.getStorage(address, 2)), 10n ** 24n)
  },
  getTransaction: async (t, { provider, sent: { hash, blockHash } }) => {
    t.like(await provider.getTransaction(hash), { hash, blockHash, from: alice, type: 2 })
  },
  getTransactionCount: async (t, { provider }) => {
    t.true((await provider.getTransactionCount(alice, 'pending')) >= 2)
  },
  getTransactionReceipt: async (t, { provider, sent: { hash, gasUsed } }) => {
    t.like(await provider.getTransactionReceipt(hash), { hash, gasUsed, status: 1 })
  },
  getTransactionResult: absent(({ provider, sent }) => provider.getTransactionResult(sent.hash)),
  listAccounts: async (t, { provider }) => {
    t.deepEqual(
      (await provider.listAccounts()).slice(0, 2).map((one) => one.address),
      [alice, bob],
    )
  },
  on: heard,
  once: async (t, stage) => {
    const pending: string[] = []
    await stage.provider.once('pending', (hash: string) => pending.push(hash))
    await eventually(async () => {
      await transferOne(stage)
      return pending.length > 0
    })
    t.is(pending.length, 1)
  },
  send: async (t, { provider }) => {
    t.is(await provider.send('eth_chainId', []), '0x7a69')
  },
  waitForBlock: async (t, { provider }) => {
    await t.throwsAsync(provider.waitForBlock(), { message: /not implemented/ })
  },
  waitForTransaction: async (t, { provider, sent }) => {
    t.is((await provider.waitForTransaction(sent.hash))?.blockHash, sent.blockHash)
  },
}

/** Of an account whose key the node has. */
const signerActs: Readonly<Record<string, Act | string>> = {
  connect: local,
  constructor: local,
  getAddress: local,
  resolveName: ens,
  authorize: 'ethers says itself that a node cannot',
  populateAuthorization: local,
  populateCall: local,
  call: async (t, { provider, address }) => {
    const signer = await provider.getSigner(1)
    t.is(BigInt(await signer.call({ to: address, data: '0x313ce567' })), 18n)
  },
  estimateGas: async (t, { provider }) => {
    t.is(await (await provider.getSigner(1)).estimateGas({ to: alice, value: 1n }), 21_000n)
  },
  getNonce: async (t, { provider }) => {
    t.is(typeof (await (await provider.getSigner(1)).getNonce()), 'number')
  },
  populateTransaction: 'the node fills in what is left out',
  sendTransaction: async (t, { provider }) => {
    const sent = await (await provider.getSigner(1)).sendTransaction({ to: alice, value: 1n })
    t.is((await sent.wait())?.from, bob)
  },
  sendUncheckedTransaction: async (t, { provider }) => {
    const signer = await provider.getSigner(1)
    const hash = await signer.sendUncheckedTransaction({ to: alice, value: 1n })
    t.is((await provider.waitForTransaction(hash))?.status, 1)
  },
  signMessage: async (t, { provider }) => {
    const signature = await (await provider.getSigner(1)).signMessage('hi')
    t.is(verifyMessage('hi', signature), bob)
    t.is(verifyMessage('hi', await (await provider.getSigner(1))._legacySignMessage('hi')), bob)
  },
  signTransaction: async (t, { provider }) => {
    const signer = await provider.getSigner(1)
    const signed = Transaction.from(await signer.signTransaction({ to: alice, value: 1n }))
    t.deepEqual([signed.from, signed.to, signed.value], [bob, alice, 1n])
  },
  signTypedData: async (t, { provider }) => {
    const [domain, { Note }, value] = typed
    const signer = await provider.getSigner(1)
    const signature = await signer.signTypedData(domain, { Note: [...Note] }, value)
    t.is(verifyTypedData(domain, { Note: [...Note] }, value, signature), bob)
  },
  unlock: async (t, { provider }) => {
    t.is(typeof (await (await provider.getSigner(1)).unlock('').catch(String)), 'boolean')
  },
}

function methodsOf(type: { readonly prototype: object }): string[] {
  const names = new Set<string>()
  for (let one = type.prototype; one !== Object.prototype; one = Object.getPrototypeOf(one)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(one))) {
      if (typeof value === 'function' && !name.startsWith('_')) names.add(name)
    }
  }
  return [...names].sort()
}

async function stageOf(kind: Kind): Promise<Stage> {
  const server = await startLocal()
  const network = Network.from(31337)
  const options = { polling: true, pollingInterval: 20, cacheTimeout: -1, staticNetwork: network }
  const provider =
    kind === 'http'
      ? new JsonRpcProvider(server.urls.eth, network, options)
      : new WebSocketProvider(server.urls.ethWs, network, { cacheTimeout: -1 })
  const wallet = new NonceManager(new Wallet(aliceKey, provider))
  const made = await new ContractFactory(forms, permitToken(), wallet).deploy()
  await made.waitForDeployment()
  const address = await made.getAddress()
  const token = new Contract(address, forms, wallet)
  const sent = await (await token.getFunction('transfer').send(bob, 5n)).wait()
  if (sent === null) throw new Error('the transfer has no receipt')
  return { server, provider, wallet, token, address, sent }
}

const stages: Partial<Record<Kind, Stage>> = {}

test.serial('the actions are those that ethers has', async (t) => {
  stages.http = await stageOf('http')
  stages.ws = await stageOf('ws')
  t.deepEqual(Object.keys(providerActs).sort(), methodsOf(JsonRpcProvider))
  t.deepEqual(Object.keys(signerActs).sort(), methodsOf(JsonRpcSigner))
})

for (const kind of ['http', 'ws'] as const) {
  for (const [what, acts] of [
    ['provider', providerActs],
    ['signer', signerActs],
  ] as const) {
    for (const [name, act] of Object.entries(acts)) {
      if (typeof act === 'string') continue
      test.serial(`ethers over ${kind}: ${what} ${name}`, async (t) => {
        const stage = stages[kind]
        if (stage !== undefined) await act(t, stage)
      })
    }
  }
}

test('ethers signs typed data with a key of its own', async (t) => {
  const [domain, { Note }, value] = typed
  const types = { Note: [...Note] }
  const signature = await new Wallet(aliceKey).signTypedData(domain, types, value)
  t.is(verifyTypedData(domain, types, value, signature), alice)
})

test.after.always('the chains are closed', async () => {
  for (const { provider, server } of Object.values(stages)) {
    await provider.destroy()
    await allGone(server)
    await server.close()
  }
})
