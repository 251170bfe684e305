import test from 'ava'
import type { ChainEvent } from '../../src/chain/event.ts'
import { sha256 } from '../../src/crypto/hash.ts'
import { agendaEntries } from '../../src/data/agenda.ts'
import { createRandom } from '../../src/data/random.ts'
import type { FaultRule } from '../../src/fault/rule.ts'
import { noCount } from '../../src/fault/select.ts'
import { parseQuery } from '../../src/feed/parseQuery.ts'
import { apply } from '../../src/node/apply.ts'
import { isExpired } from '../../src/node/filters.ts'
import type { NodeCommand } from '../../src/node/command.ts'
import { gathering } from '../../src/node/filters.ts'
import { createNode } from '../../src/node/createNode.ts'
import type { Node } from '../../src/node/node.ts'
import type { Output } from '../../src/node/output.ts'
import type { World } from '../../src/node/world.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import { golden } from '../golden.ts'
import { kvChain } from '../helpers/kvChain.ts'

function kvNode(settings: Partial<Settings> = {}): { world: World; node: Node } {
  const { world, chain } = kvChain()
  const random = createRandom(new TextEncoder().encode('node'), sha256)
  const full: World = { ...world, keyring: [], version: 'test', random }
  return {
    world: full,
    node: createNode(full, { ...profileSettings('local'), ...settings }, chain.genesis),
  }
}

const submit = (text: string): NodeCommand => ({ type: 'submitTx', tx: new TextEncoder().encode(text), mode: 'admit' })

function listening(world: World, node: Node, query: string): Node {
  const subscription = { id: '7', text: query, query: parseQuery(query) }
  return apply(world, node, { type: 'subscribeComet', connection: 1, subscription }).node
}

function framesOf(outputs: readonly Output[]): {
  name: string
  step: string | undefined
  text: string
}[] {
  return outputs.flatMap((output) => {
    if (output.kind !== 'push') return []
    const { result } = JSON.parse(output.text)
    return [{ name: result.events['tm.event'][0], step: result.data.value.step, text: output.text }]
  })
}

test('an eager node makes the block before it answers, and tells subscribers first', (t) => {
  const { world, node } = kvNode()
  const {
    node: after,
    outcome,
    outputs,
    events,
  } = apply(world, listening(world, node, "tm.event='Tx' AND app.key='a'"), submit('a=1'))
  t.like(outcome, { type: 'submitted', admitted: true })
  t.is(after.chain.height, 1n)
  t.deepEqual(
    events.map(({ type }) => type),
    ['txAccepted', 'blockCommitted'],
  )
  t.deepEqual(
    framesOf(outputs).map(({ name }) => name),
    ['Tx'],
  )
  t.true(
    framesOf(outputs)[0]?.text.startsWith(
      '{"jsonrpc":"2.0","id":7,"result":{"query":"tm.event=\'Tx\' AND app.key=\'a\'","data":',
    ),
  )
})

test('a lazy node answers and leaves the block to the agenda', (t) => {
  const { world, node } = kvNode({ lazy: true })
  const { node: after } = apply(world, node, submit('a=1'))
  t.is(after.chain.height, 0n)
  // The first block, which every automatic chain begins with, was there before.
  t.deepEqual(
    [...agendaEntries(after.agenda)].map(({ timeMs, item }) => ({ timeMs, item })),
    [
      ...[...agendaEntries(node.agenda)].map(({ timeMs, item }) => ({ timeMs, item })),
      { timeMs: 0n, item: { type: 'command', command: { type: 'produceBlock', ifWaiting: true } } },
    ],
  )
})

test('an interval node has one block due, and a new interval makes the old one void', (t) => {
  const { world, node } = kvNode({ blocks: 'interval', interval: '2s' })
  const due = (one: Node) =>
    [...agendaEntries(one.agenda)].flatMap(({ timeMs, item }) =>
      item.type === 'interval' && item.epoch === one.intervalEpoch ? [timeMs] : [],
    )
  t.deepEqual(due(node), [2000n])
  t.deepEqual(due(apply(world, node, { type: 'setBlockPolicy', policy: { intervalMs: 500n } }).node), [500n])
  t.deepEqual(due(apply(world, node, { type: 'setBlockPolicy', policy: { paused: true } }).node), [])
})

test('a filter that was polled since a checkpoint is as far from expiring after the restore', (t) => {
  const { world, node } = kvNode()
  const run = (from: Node, command: NodeCommand) => apply(world, from, command)
  const { node: filtering, outcome } = run(node, { type: 'installFilter', filter: { kind: 'blocks' } })
  const id = outcome.type === 'id' ? outcome.id : ''
  let next = run(filtering, { type: 'checkpoint' }).node
  for (const nowMs of [200_000n, 400_000n]) next = run({ ...next, nowMs }, { type: 'pollFilter', id }).node
  const back = run(next, { type: 'restore', id: '0x1' }).node
  t.false(isExpired(back, back.filters.get(id)!))
  t.is(back.filters.get(id)?.seen, node.chain.height)
})

test('a restored checkpoint is gone with all younger ones; ids never repeat', (t) => {
  const { world, node } = kvNode()
  const run = (from: Node, command: NodeCommand) => apply(world, from, command)
  const first = run(node, { type: 'checkpoint' })
  const second = run(run(first.node, submit('a=1')).node, { type: 'checkpoint' })
  t.is(second.node.chain.height, 1n)
  const back = run(second.node, { type: 'restore', id: '0x1' })
  t.is(back.node.chain.height, 0n)
  t.like(run(back.node, { type: 'restore', id: '0x2' }).outcome, { type: 'found', found: false })
  t.like(run(back.node, { type: 'checkpoint' }).outcome, { type: 'id', id: '0x3' })
  t.like(run(back.node, submit('a=1')).outcome, { refusal: undefined, admitted: true })
})

test('a filter for blocks gives each hash once', (t) => {
  const { world, node } = kvNode()
  const installed = apply(world, node, { type: 'installFilter', filter: { kind: 'blocks' } })
  const id = installed.outcome.type === 'id' ? installed.outcome.id : ''
  const mined = apply(world, installed.node, { type: 'produceBlock', count: 2 }).node
  const polled = apply(world, mined, { type: 'pollFilter', id })
  const changes =
    polled.outcome.type === 'filterChanges' && polled.outcome.changes.kind === 'blocks'
      ? polled.outcome.changes.hashes
      : []
  t.is(changes.length, 2)
  t.deepEqual(apply(world, polled.node, { type: 'pollFilter', id }).outcome, {
    type: 'filterChanges',
    changes: { kind: 'blocks', hashes: [] },
  })
})

test('a filter that nobody polls any more collects nothing, and makes way with the next transaction', (t) => {
  const { node } = kvNode()
  const filter = { spec: { kind: 'pending' }, seen: 0n, gathered: [] } as const
  const nowMs = 1_000_000n
  const polled: Node = {
    ...node,
    nowMs,
    filters: new Map([
      ['0x1', { ...filter, polledAtMs: nowMs - 300_001n }],
      ['0x2', { ...filter, polledAtMs: nowMs - 300_000n }],
    ]),
  }
  const ethHash = new Uint8Array(32)
  const accepted = { type: 'txAccepted', tx: { queued: false, info: { ethHash } } } as unknown as ChainEvent
  t.deepEqual(
    [...gathering(polled, [accepted]).filters].map(([id, { gathered }]) => [id, gathered]),
    [['0x2', [ethHash]]],
  )
})

const window = (count: number): FaultRule => ({
  name: 'r',
  match: {},
  select: { type: 'window', skip: 0, count, per: 'call' },
  at: 'before',
  effects: [{ type: 'hang' }],
  cors: 'keep',
})

test('a fault that is set anew with another rule counts from the beginning', (t) => {
  const { world, node } = kvNode()
  const spent: Node = {
    ...node,
    faults: { ...node.faults, counts: new Map([['r', { ...noCount, matched: 9, applied: 3 }]]) },
  }
  const { node: after } = apply(world, spent, {
    type: 'setFault',
    fault: { rule: window(5) },
  })
  t.is(after.faults.counts.get('r')?.matched ?? 0, 0)
})

type Wanted = Record<string, { body: unknown }>

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn)
  const result = (value as { result?: { events?: { 'tm.event': string[] }; data?: { value: { step?: string } } } })
    .result
  return result?.events === undefined ? [] : [`${result.events['tm.event'][0]} ${result.data?.value.step ?? ''}`]
}

test('one height is told in the order of a real node', (t) => {
  const wanted = namesIn(
    golden<Wanted>('want/a-wsevents.json')['ws: order of one subscription over all events of a height']?.body,
  )
  const height = wanted.slice(0, wanted.findIndex((one) => one.endsWith('RoundStepNewHeight')) + 1)
  t.is(height.length, 15)
  const { world, node } = kvNode()
  const { outputs } = apply(world, listening(world, node, 'tm.event EXISTS'), { type: 'produceBlock' })
  t.deepEqual(
    framesOf(outputs).map(({ name, step }) => `${name} ${step ?? ''}`),
    height,
  )
})
