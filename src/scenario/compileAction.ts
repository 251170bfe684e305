import { bytesOfHex } from '../codec/hex.ts'
import { parseTime } from '../codec/time.ts'
import { timeToMs } from '../data/time.ts'
import type { NodeCommand } from '../node/command.ts'
import type { Action, Span, TxSelect } from '../plan/action.ts'
import type { ActionFile } from './actionSchema.ts'
import { compileFault } from './compileFault.ts'
import { compileCosmosTx, compileDeploy, compileSend } from './compileTx.ts'
import { fault } from './faultSchema.ts'

/** The most blocks that are mined at once; larger numbers are mined in slices. */
const atOnceMost = 50

type Given = { readonly [Name in keyof ActionFile]-?: NonNullable<ActionFile[Name]> }

/** One function for each action of the format, which compiles its value. */
const meanings: { readonly [Name in keyof Given]: (value: Given[Name]) => Action } = {
  mine: (count) => command({ type: count > atOnceMost ? 'mine' : 'produceBlock', count }),
  timeJump: (ms) => command({ type: 'advanceTime', ms }),
  setTime: (text) => command({ type: 'setNextBlockTime', ms: timeToMs(parseTime(text)), keep: true }),
  setBlockTime: (intervalMs) => command({ type: 'setBlockPolicy', policy: { intervalMs } }),
  blocks: (what) => command({ type: 'setBlockPolicy', policy: { paused: what === 'pause' } }),
  sendTx: compileSend,
  deploy: compileDeploy,
  cosmosTx: compileCosmosTx,
  setBalance: ({ address, amount }) => ({ type: 'editAccount', who: address, change: { type: 'setBalance', amount } }),
  setNonce: ({ address, nonce }) => ({
    type: 'editAccount',
    who: address,
    change: { type: 'setNonce', nonce: BigInt(nonce) },
  }),
  setCode: ({ address, code }) => ({
    type: 'editAccount',
    who: address,
    change: { type: 'setCode', code: bytesOfHex(code) },
  }),
  setStorage: ({ address, slot, value }) => ({
    type: 'editAccount',
    who: address,
    change: { type: 'setStorage', slot: bytesOfHex(slot), value: bytesOfHex(value) },
  }),
  mempool: mempoolAction,
  fees: ({ baseFee, gasLimit, for: span }) => ({
    type: 'fees',
    baseFee,
    gasLimit: gasLimit === undefined ? undefined : BigInt(gasLimit),
    span: spanOf(span),
  }),
  signing: ({ validator, up }) => ({ type: 'signing', validator, up }),
  evidence: ({ type, validator, attack }) => ({
    type: 'evidence',
    validator,
    attack: type === 'duplicateVote' ? undefined : (attack ?? 'Equivocation'),
  }),
  validator: ({ name, power }) => ({ type: 'validator', name, power: BigInt(power) }),
  jail: ({ validator, slash }) => ({
    type: 'jail',
    validator,
    isJailed: true,
    slash: slash === undefined ? 0n : (slash.numerator * 10n ** 18n) / slash.denominator,
  }),
  unjail: ({ validator }) => ({ type: 'jail', validator, isJailed: false, slash: 0n }),
  upgrade: ({ name, height, info }) => ({
    type: 'upgrade',
    name,
    info: info ?? '',
    height: typeof height === 'number' ? BigInt(height) : undefined,
    in: typeof height === 'string' ? BigInt(height.slice(1)) - 1n : 0n,
  }),
  halt: ({ mode }) =>
    several(
      { type: 'upgrade', name: 'halt', info: '', height: undefined, in: 0n },
      ...(mode === 'process' ? [nodeFault('process', { refuse: true }, undefined)] : []),
    ),
  chain: ({ appVersion }) => several({ type: 'clearFault', name: 'node-process' }, { type: 'resume', appVersion }),
  rounds: (count) => ({ type: 'rounds', count: count - 1 }),
  rollback: (given) =>
    'to' in given
      ? { type: 'rollback', to: BigInt(given.to), blocks: undefined }
      : { type: 'rollback', to: undefined, blocks: BigInt(given.blocks) },
  snapshot: (name) => ({ type: 'snapshot', name }),
  checkpoint: (name) => ({ type: 'snapshot', name }),
  restore: ({ snapshot, keepConnections }) =>
    several({ type: 'restore', name: snapshot }, ...(keepConnections ? [] : [everyWs('chain restored')])),
  node: nodeAction,
  ws: wsAction,
  app: (given) =>
    'infoFails' in given
      ? command({ type: 'changeSettings', settings: { infoFails: given.infoFails } })
      : slowApp(given.slow, given.for),
  fault: (given) => {
    const { ms, blocks } = spanOf(given.for) ?? {}
    const name = 'use' in given ? given.use : (given.as ?? 'inline')
    return {
      type: 'useFault',
      name,
      forMs: ms,
      forBlocks: blocks,
      ...('inline' in given && { rule: compileFault(name, given.inline) }),
      ...(given.once === true && { once: true }),
    }
  },
  clearFault: (name) => ({ type: 'clearFault', name: name === '*' ? undefined : name }),
  call: ({ iface, method, params }) => ({ type: 'call', side: iface, method, params: JSON.stringify(params ?? []) }),
  set: (values) => ({ type: 'set', values }),
  setPhase: (name) => ({ type: 'setPhase', name }),
  signal: (name) => ({ type: 'signal', name }),
  log: (text) => ({ type: 'log', text }),
  late: ({ json }) => ({ type: 'late', json }),
}

/** Returns one action for all; a single action is returned unchanged. */
function several(...actions: readonly Action[]): Action {
  const [only] = actions
  return actions.length === 1 && only !== undefined ? only : { type: 'several', actions }
}

function everyWs(reason: string): Action {
  return { type: 'closeWs', code: 1012, reason, side: undefined, query: undefined }
}

function nodeAction({ prunedBelow, catchingUp, behind, indexLag, listen, peers, for: span }: Given['node']): Action {
  return several(
    ...(prunedBelow === undefined ? [] : [command({ type: 'prune', below: BigInt(prunedBelow) })]),
    ...(catchingUp === undefined && peers === undefined
      ? []
      : [
          {
            type: 'settings',
            span: spanOf(span),
            settings: {
              ...(catchingUp === undefined ? {} : { catchingUp }),
              ...(peers === undefined ? {} : { peers }),
            },
          } as const,
        ]),
    ...(behind === undefined ? [] : [lagging('behind', behind, span)]),
    // A node that has caught up no longer lags.
    ...(catchingUp === false && behind === undefined ? [{ type: 'clearFault', name: 'node-behind' } as const] : []),
    ...(indexLag === undefined ? [] : [lagging('index', indexLag, span)]),
    ...(listen === undefined
      ? []
      : [
          listen ? ({ type: 'clearFault', name: 'node-listen' } as const) : nodeFault('listen', { refuse: true }, span),
        ]),
  )
}

/**
 * Returns the action for WebSockets. A stall is a fault whose name contains the match, so only the
 * same match ends it.
 */
function wsAction({ close, stall, unstall, match = {}, for: span }: Given['ws']): Action {
  const { iface, subscription } = match
  if (close !== undefined) {
    const { code = 1001, reason = '' } = close
    return { type: 'closeWs', code, reason, side: iface, query: subscription }
  }
  const name = ['ws-stall', iface, subscription].filter((one) => one !== undefined).join(' ')
  const { ms, blocks } = spanOf(span) ?? {}
  const stalled = (backlog: 'deliver' | 'discard'): Action => {
    const given = fault.parse({ match: { ...match, transport: 'ws' }, effect: { ws: { stall: { backlog } } } })
    return { type: 'useFault', name, rule: compileFault(name, given), forMs: ms, forBlocks: blocks }
  }
  if (stall !== undefined) return stalled(stall.backlog)
  const end: Action = { type: 'clearFault', name }
  return unstall === 'discard' ? several(stalled('discard'), end) : end
}

/**
 * Returns the action that makes the node or its indexes lag, as a named fault. A lag of zero ends
 * the fault.
 */
function lagging(what: 'behind' | 'index', lag: SpanFile, span: SpanFile | undefined): Action {
  const isNone = 'ms' in lag ? lag.ms === 0n : lag.blocks === 0n
  if (isNone) return { type: 'clearFault', name: `node-${what}` }
  const text = 'ms' in lag ? `${lag.ms}ms` : `${lag.blocks} blocks`
  return nodeFault(what, what === 'index' ? { indexLag: text } : { stale: { lag: text } }, span)
}

function nodeFault(what: string, effect: object, span: SpanFile | undefined): Action {
  const { ms, blocks } = spanOf(span) ?? {}
  const name = `node-${what}`
  return {
    type: 'useFault',
    name,
    rule: compileFault(name, fault.parse({ effect })),
    forMs: ms,
    forBlocks: blocks,
  }
}

/** Returns the action that delays every request to the application. */
function slowApp(slow: bigint, span: SpanFile | undefined): Action {
  const { ms, blocks } = spanOf(span) ?? {}
  const rule = compileFault(
    'app-slow',
    fault.parse({
      match: { iface: 'comet', method: ['abci_*', 'broadcast_tx_*', 'check_tx'] },
      effect: { latency: `${slow}ms` },
    }),
  )
  return { type: 'useFault', name: rule.name, rule, forMs: ms, forBlocks: blocks }
}

/** Returns the compiled action. */
export function compileAction(action: ActionFile): Action {
  const [[name, value]] = Object.entries(action) as [[keyof Given, never]]
  return (meanings[name] as (value: never) => Action)(value)
}

function command(what: NodeCommand): Action {
  return { type: 'command', command: what }
}

function mempoolAction({ hold, release, drop, evict, fill, as }: Given['mempool']): Action {
  if (fill !== undefined) {
    const { from, count } = fill
    return several(
      ...Array.from({ length: count }, () =>
        compileSend({
          from,
          to: from,
          gas: 21_000,
        }),
      ),
    )
  }
  if (hold !== undefined) {
    const { nth, ...select } = hold
    return { type: 'hold', select: selectOf(select), name: as ?? 'held', nth }
  }
  const taken = drop ?? evict
  if (taken !== undefined && Object.keys(taken).length === 0)
    return command({
      type: 'flushMempool',
    })
  return taken === undefined
    ? { type: 'release', select: selectOf(release ?? {}) }
    : { type: 'drop', select: selectOf(taken) }
}

type SpanFile = { readonly ms: bigint } | { readonly blocks: bigint }

type SelectFile = {
  readonly hash?: string | undefined
  readonly name?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly nonce?: number | undefined
  readonly selector?: string | undefined
}

/** Returns the selection of mempool transactions. */
export function selectOf({ hash, name, from, to, nonce, selector }: SelectFile): TxSelect {
  return {
    ...(hash !== undefined && { hash: bytesOfHex(hash) }),
    ...(name !== undefined && { name }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(nonce !== undefined && { nonce: BigInt(nonce) }),
    ...(selector !== undefined && { selector: bytesOfHex(selector) }),
  }
}

/** Returns the span with both members, one of them undefined. */
export function spanOf(span: SpanFile | undefined): Span | undefined {
  if (span === undefined) return undefined
  return 'ms' in span ? { ms: span.ms, blocks: undefined } : { ms: undefined, blocks: span.blocks }
}
