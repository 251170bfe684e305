/** Carries out one step of a storm. */
import { createHash } from 'node:crypto'
import { BroadcastMode, BroadcastTxRequest } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { noFixtures } from '../../src/plan/fixtures.ts'
import type { FaultEffect } from '../../src/fault/effect.ts'
import { compileScenario } from '../../src/scenario/compile.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { stateBytes } from '../../src/shell/stateFile.ts'
import { withoutConnections } from '../../src/simulation/resume.ts'
import { accounts } from './accounts.ts'
import { readLong, readPast, readService, useFork } from './carryOutReads.ts'
import type { Asked, Client, Clients } from './clients.ts'
import { signedTransfer } from './cosmosTx.ts'
import type { Saved, Stage } from './stage.ts'
import type { Step } from './steps.ts'

/** What steps leave for later ones. */
export type Yard = {
  readonly stage: Stage
  readonly clients: Clients
  readonly checkpoints: Asked[]
  readonly filters: Asked[]
  readonly saved: Saved[]
  /** Checks of answers that may not be there yet: each throws, or returns whether it is done. */
  readonly later: (() => boolean)[]
  /** The hash of the last Cosmos transaction that was sent, in hex. */
  cosmosTx: string | undefined
  /** Whether the next crash takes what was not synced. */
  isPower: boolean
}

type Of<Kind extends Step['do']> = Extract<Step, { do: Kind }>
type Deed<Kind extends Step['do']> = (yard: Yard, step: Of<Kind>) => unknown

const hex = (value: number) => `0x${value.toString(16)}`
const at = <Item>(list: readonly Item[], which: number): Item | undefined => list[which % list.length]
const accountAt = (which: number) => accounts[which % accounts.length] ?? ''
const resultIn = (asked: Asked | undefined): unknown =>
  asked?.body === undefined ? undefined : (JSON.parse(asked.body) as { result?: unknown }).result

const reads: readonly (readonly ['eth' | 'comet', string, unknown])[] = [
  ['eth', 'eth_blockNumber', []],
  ['eth', 'eth_gasPrice', []],
  ['eth', 'eth_call', [{ to: accountAt(4), data: '0x' }, 'latest']],
  ['eth', 'eth_getLogs', [{ fromBlock: '0x1' }]],
  ['eth', 'eth_feeHistory', ['0x4', 'latest', [50]]],
  ['eth', 'txpool_content', []],
  ['eth', 'eth_getProof', [accountAt(0), [], 'latest']],
  ['eth', 'no_such_method', []],
  ['comet', 'status', {}],
  ['comet', 'block', {}],
  ['comet', 'block_results', {}],
  ['comet', 'validators', {}],
  ['comet', 'num_unconfirmed_txs', {}],
  ['comet', 'abci_info', {}],
  ['comet', 'block', { height: '1000000' }],
]

/** Asks over a WebSocket of that side where one is open and `over` says so. */
function ask({ clients }: Yard, over: number, [side, method, params]: (typeof reads)[number]): Asked {
  const sockets = clients.open().filter(({ socket }) => socket.side === side)
  const client = over < 2 ? undefined : at(sockets, over)
  return client === undefined ? clients.ask(side, method, params) : clients.askOver(client, method, params)
}

const clientAt = ({ clients }: Yard, which: number): Client | undefined => at(clients.open(), which)

function transfer(from: number, to: number, value: number) {
  return { from: accounts[from % 4], to: accountAt(to), value: hex(value), gas: '0x5208' }
}

const effects: readonly FaultEffect[] = [
  { type: 'rpcError', code: -32005, message: 'limit exceeded' },
  { type: 'latency', minMs: 1n, maxMs: 5000n },
]

const plans = new Map<number, Plan>()

function planOf(number: number): Plan {
  const text = `{ chainstage: 1, name: 'storm ${number}', seed: 'storm',
    steps: [{ id: 'go', when: { signal: 'go ${number}' }, timeout: '14d', do: { mine: ${number + 1} } }] }`
  const plan = plans.get(number) ?? compileScenario(new Map([['s.json5', text]]), 's.json5').plan
  plans.set(number, plan)
  return { ...plan, fixtures: noFixtures }
}

const deeds: { readonly [Kind in Step['do']]: Deed<Kind> } = {
  send: (yard, { from, to, value, over }) =>
    void ask(yard, over, ['eth', 'eth_sendTransaction', [transfer(from, to, value)]]),
  mine: (yard, { blocks }) => void ask(yard, 0, ['eth', 'anvil_mine', [hex(blocks)]]),
  advance: ({ stage }, { ms }) => Promise.race([stage.life().main.advance(ms), stage.disk().crashed]),
  setBalance: (yard, { to, value }) =>
    void ask(yard, 0, ['eth', 'anvil_setBalance', [accountAt(to), hex(1e18 + value)]]),
  automine: (yard, { isOn }) => void ask(yard, 0, ['eth', 'evm_setAutomine', [isOn]]),
  checkpoint: (yard) => void yard.checkpoints.push(ask(yard, 0, ['eth', 'evm_snapshot', []])),
  restore: (yard, { which }) => {
    const id = resultIn(at(yard.checkpoints, which))
    ask(yard, 0, ['eth', 'evm_revert', [id ?? '0x77']])
  },
  filter: (yard) => void yard.filters.push(ask(yard, 0, ['eth', 'eth_newBlockFilter', []])),
  poll: (yard, { which }) => {
    ask(yard, 0, ['eth', 'eth_getFilterChanges', [resultIn(at(yard.filters, which)) ?? '0x77']])
  },
  connect: ({ clients }, { side }) => {
    if (clients.open().length < 6) clients.connect(side)
  },
  subscribe: (yard, { which }) => {
    if (yard.clients.open().length === 0) yard.clients.connect(which % 2 === 0 ? 'eth' : 'comet')
    const client = clientAt(yard, which)
    if (client === undefined || client.socket.isStalled() || client.heads.size > 2) return
    if (client.socket.side === 'eth') yard.clients.askOver(client, 'eth_subscribe', ['newHeads'])
    else yard.clients.askOver(client, 'subscribe', { query: "tm.event='NewBlock'" })
  },
  disconnect: (yard, { which }) => clientAt(yard, which)?.socket.end(),
  stall: (yard, { which, isOn }) => clientAt(yard, which)?.socket.stall(isOn),
  read: (yard, { which, over }) => void ask(yard, over, at(reads, which) ?? ['eth', 'eth_chainId', []]),
  burst: (yard, { count, from }) => {
    for (let index = 0; index < count; index++) {
      ask(yard, 0, ['eth', 'eth_sendTransaction', [transfer(from, index, index)]])
      ask(yard, index % 4, at(reads, index + from) ?? ['eth', 'eth_chainId', []])
    }
  },
  commit: (yard, { tx }) =>
    void ask(yard, 0, ['comet', 'broadcast_tx_commit', { tx: Buffer.from(`tx ${tx}`).toString('base64') }]),
  cosmos: (yard, step) => {
    const txBytes = signedTransfer(yard.stage.life().main, step)
    const text = Buffer.from(txBytes).toString('base64')
    yard.cosmosTx = createHash('sha256').update(txBytes).digest('hex').toUpperCase()
    const mode = BroadcastMode.BROADCAST_MODE_SYNC
    if (step.over === 0) ask(yard, 3, ['comet', 'broadcast_tx_sync', { tx: text }])
    else if (step.over === 1) {
      yard.clients.post('/cosmos/tx/v1beta1/txs', { tx_bytes: text, mode: 'BROADCAST_MODE_SYNC' })
    } else {
      const message = BroadcastTxRequest.encode({ txBytes, mode }).finish()
      yard.clients.call('/cosmos.tx.v1beta1.Service/BroadcastTx', message)
    }
  },
  service: readService,
  past: readPast,
  longRead: readLong,
  fork: useFork,
  fault: ({ stage }, { which }) => {
    const effect = at(effects, which)
    if (effect === undefined) return
    const rule = {
      ...{ name: `fault ${which}`, match: { methods: ['eth_gasPrice'] }, select: { type: 'all' } as const },
      ...{ at: 'before' as const, effects: [effect], cors: 'keep' as const },
    }
    stage.life().main.operate('storm', { type: 'setFault', fault: { rule } })
  },
  clearFaults: ({ stage }) => void stage.life().main.operate('storm', { type: 'clearFault', name: undefined }),
  scenario: ({ stage }, { number }) =>
    void stage.life().main.operate('storm', { type: 'loadPlan', plan: planOf(number) }),
  signal: ({ stage }, { number }) => void stage.life().main.operate('storm', { type: 'signal', name: `go ${number}` }),
  save: ({ stage, saved }) => {
    const lived = stateBytes(stage.life().main.simulation())
    saved.push({ lived, replayed: withoutConnections(stage.past().replayed()) })
  },
  load: ({ stage, saved }, { which }) => {
    const one = at(saved, which)
    if (one !== undefined) stage.become(one)
  },
  session: ({ stage, clients }, { which, value }) => {
    const { sessions } = stage.life()
    const name = `s${which}`
    sessions.at(name)
    clients.ask('eth', 'eth_sendTransaction', [transfer(0, which, value)], name)
    clients.ask('comet', 'status', {}, name)
  },
  endSession: ({ stage }, { which }) => {
    const { sessions, pasts } = stage.life()
    if (sessions.release(`s${which}`)) pasts.delete(`s${which}`)
  },
  restart: async ({ stage }) => {
    await stage.stop()
    await stage.recover(false)
  },
  crash: (yard, { isPower, after }) => {
    yard.isPower = isPower
    const disk = yard.stage.disk()
    if (after === 0) disk.crash()
    else disk.fail({ crashAt: disk.operations() + after })
  },
  disk: ({ stage }, { trouble }) => {
    const disk = stage.disk()
    const used = Object.values(disk.files()).reduce((sum, text) => sum + text.length, 0)
    disk.fail({
      shortWrites: trouble === 'shortWrites' ? 2 : 0,
      failedSyncs: trouble === 'failedSyncs' ? 4 : 0,
      capacity: trouble === 'full' ? used + 4000 : Infinity,
    })
  },
}

/** Carries out a step; what it causes may go on when it resolves. */
export async function carryOut(yard: Yard, step: Step): Promise<void> {
  await (deeds[step.do] as Deed<Step['do']>)(yard, step as never)
}
