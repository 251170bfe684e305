/** Steps that read over several interfaces, and what must be true of their answers. */
import { GetBlockByHeightRequest } from 'cosmjs-types/cosmos/base/tendermint/v1beta1/query'
import { QueryBalanceRequest } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { QueryValidatorsRequest } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { recordAt } from '../../src/chain/history.ts'
import { bech32Of } from '../../src/codec/bech32.ts'
import { messageFrom } from '../../src/rpc/grpc/jsonCall.ts'
import { accounts } from './accounts.ts'
import type { Yard } from './carryOut.ts'
import type { Asked } from './clients.ts'
import { forkName } from './fork.ts'
import type { Step } from './steps.ts'

type Of<Kind extends Step['do']> = Extract<Step, { do: Kind }>

const hex = (value: number) => `0x${value.toString(16)}`
const accountAt = (which: number) => accounts[which % accounts.length] ?? ''
export const bech32At = (which: number) => bech32Of('cosmos', Buffer.from(accountAt(which).slice(2), 'hex'))

const services: readonly ((yard: Yard) => Asked)[] = [
  ...[
    '/cosmos/base/tendermint/v1beta1/node_info',
    '/cosmos/base/tendermint/v1beta1/blocks/latest',
    '/cosmos/base/tendermint/v1beta1/blocks/1000000',
    '/cosmos/staking/v1beta1/validators',
    '/cosmos/auth/v1beta1/accounts?pagination.limit=3',
    `/cosmos/bank/v1beta1/balances/${bech32At(1)}`,
    '/cosmos/bank/v1beta1/supply',
    '/cosmos/evm/feemarket/v1/params',
    '/no/such/path',
  ].map((target) => (yard: Yard) => yard.clients.get(target)),
  ...(
    [
      ['/cosmos.staking.v1beta1.Query/Validators', QueryValidatorsRequest.encode({ status: '' }).finish()],
      ['/cosmos.base.tendermint.v1beta1.Service/GetLatestBlock', new Uint8Array()],
      ['/cosmos.bank.v1beta1.Query/TotalSupply', new Uint8Array()],
      ['/no.such.Service/Method', new Uint8Array()],
    ] as const
  ).map(
    ([target, message]) =>
      (yard: Yard) =>
        yard.clients.call(target, message),
  ),
]

/** Reads over REST or gRPC. */
export function readService(yard: Yard, { which }: Of<'service'>): void {
  services[which % services.length]?.(yard)
}

/** Reads a block of the past over every interface; all must give its hash. */
export function readPast({ stage, clients, later }: Yard, { which }: Of<'past'>): void {
  const { height, history } = stage.past().replayed().node.chain
  const at = 1 + (which % Number(height))
  const hash = Buffer.from(recordAt(history, BigInt(at))?.id.hash ?? [])
  const found: readonly (readonly [Asked, string])[] = [
    [clients.ask('eth', 'eth_getBlockByNumber', [hex(at), true]), hash.toString('hex')],
    [clients.ask('comet', 'block', { height: String(at) }), hash.toString('hex').toUpperCase()],
    [clients.get(`/cosmos/base/tendermint/v1beta1/blocks/${at}`), hash.toString('base64')],
  ]
  const message = GetBlockByHeightRequest.encode({ height: BigInt(at) }).finish()
  const bytes = clients.call('/cosmos.base.tendermint.v1beta1.Service/GetBlockByHeight', message)
  later.push(() => {
    for (const [{ body, what }, text] of found) {
      if (body?.includes(text) !== true) throw new Error(`${what}: block ${at} was answered with ${body}`)
    }
    if (!Buffer.from(bytes.bytes ?? []).includes(hash)) throw new Error(`gRPC does not give the hash of block ${at}`)
    return true
  })
}

const counter = `0x${'c3'.repeat(20)}`
/** Counts 8,000 down, which takes 200,000 gas, and returns the word in slot 0. */
const counting = '0x6300001f405b600190038060055760005460005260206000f3'
const wordOf = (value: number) => value.toString(16).padStart(64, '0')

/** Calls a contract for long; the answer must be that of the state that the call began with. */
export function readLong(yard: Yard, { over, value, end }: Of<'longRead'>): void {
  const { stage, clients, later } = yard
  const { threads } = stage.life()
  const store = (word: number) => clients.ask('eth', 'anvil_setStorageAt', [counter, '0x0', `0x${wordOf(word)}`])
  clients.ask('eth', 'anvil_setCode', [counter, counting])
  store(value)
  threads.plan(end)
  const call = { from: accountAt(0), to: counter, gas: '0x7a120' }
  const [args, cap] = [Buffer.from(JSON.stringify(call)).toString('base64'), '25000000']
  const socket = clients.open().find((one) => one.socket.side === 'eth' && !one.socket.isStalled())
  const asked =
    over === 0
      ? clients.get(`/cosmos/evm/vm/v1/eth_call?${new URLSearchParams({ args, gas_cap: cap })}`)
      : over === 1
        ? clients.call(
            '/cosmos.evm.vm.v1.Query/EthCall',
            messageFrom('cosmos.evm.vm.v1.Query/EthCall', { args, gas_cap: cap }),
          )
        : over === 2 && socket !== undefined
          ? clients.askOver(socket, 'eth_call', [call, 'latest'])
          : clients.ask('eth', 'eth_call', [call, 'latest'])
  store(value + 1)
  const word = Buffer.from(wordOf(value), 'hex')
  const reason = { value: undefined, timeout: 'execution aborted (timeout = ', lost: 'did not complete' }[end.how]
  later.push(() => {
    const { what, over: client, body = '', bytes = Buffer.alloc(0), answers } = asked
    if (answers === 0) return client !== undefined && !client.socket.isOpen()
    const text = `${body}${asked.head ?? ''}`
    const isWord =
      text.includes(word.toString('hex')) || text.includes(word.toString('base64')) || Buffer.from(bytes).includes(word)
    // A call that may not leave the core gives its value, whatever was planned for threads.
    const isRefused = reason !== undefined && text.includes(reason)
    if (!isWord && !isRefused) throw new Error(`${what}: a long read was answered with ${text} instead of ${value}`)
    return true
  })
}

/** Uses a fork: it must give the other chain's state and blocks up to its height, and its own on all interfaces. */
export async function useFork(yard: Yard, { which, to, value }: Of<'fork'>): Promise<void> {
  const { stage, clients, later } = yard
  if (which === 0 || stage.life().fork === undefined) await Promise.race([stage.fork(), stage.disk().crashed])
  const { fork } = stage.life()
  if (fork === undefined || stage.disk().hasCrashed()) return
  const transfer = { from: accounts[which % 4], to: accountAt(to), value: hex(value), gas: '0x5208' }
  if (which % 3 === 2) clients.ask('eth', 'anvil_mine', [hex(1 + (value % 2))], forkName)
  else clients.ask('eth', 'eth_sendTransaction', [transfer], forkName)
  const { upstream } = fork
  const forkedAt = Number(upstream.node.chain.height)
  const old = 1 + (value % forkedAt)
  const hash = Buffer.from(recordAt(upstream.node.chain.history, BigInt(old))?.id.hash ?? []).toString('hex')
  const before = fork.upstreamSays('eth_getBalance', [accountAt(to), hex(forkedAt)])
  const block = clients.ask('eth', 'eth_getBlockByNumber', [hex(old), false], forkName)
  const forked = clients.ask('eth', 'eth_getBalance', [accountAt(to), hex(forkedAt)], forkName)
  const latest = clients.ask('eth', 'eth_getBalance', [accountAt(to), 'latest'], forkName)
  const rest = clients.get(`/cosmos/bank/v1beta1/balances/${bech32At(to)}/by_denom?denom=atest`, forkName)
  const message = QueryBalanceRequest.encode({ address: bech32At(to), denom: 'atest' }).finish()
  const grpc = clients.call('/cosmos.bank.v1beta1.Query/Balance', message, forkName)
  later.push(() => {
    const told = (what: string, text: string, asked: Asked) => {
      const is = `${asked.body ?? ''}${Buffer.from(asked.bytes ?? []).toString('latin1')}`
      if (!is.includes(text)) throw new Error(`the fork at ${forkedAt} gives another ${what}: ${is} instead of ${text}`)
    }
    told(`block ${old}`, hash, block)
    told('balance of the other chain', before, forked)
    const now = String(BigInt((JSON.parse(latest.body ?? '{}') as { result?: string }).result ?? 0))
    told('balance over REST', `"${now}"`, rest)
    told('balance over gRPC', now, grpc)
    return true
  })
}
