import test from 'ava'
import { sha256 } from '../../src/crypto/hash.ts'
import { agendaEntries } from '../../src/data/agenda.ts'
import { createRandom } from '../../src/data/random.ts'
import type { FaultEffect } from '../../src/fault/effect.ts'
import type { FaultRule, FaultToSet } from '../../src/fault/rule.ts'
import { parseQuery } from '../../src/feed/parseQuery.ts'
import { apply } from '../../src/node/apply.ts'
import type { NodeCommand } from '../../src/node/command.ts'
import { createNode } from '../../src/node/createNode.ts'
import { faultEnded } from '../../src/node/faulting.ts'
import type { Node } from '../../src/node/node.ts'
import type { Output } from '../../src/node/output.ts'
import { handshaken } from '../../src/node/refusing.ts'
import type { World } from '../../src/node/world.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import { kvChain } from '../helpers/kvChain.ts'

/** A node with a subscriber of each interface, and what both were sent. */
class Stage {
  readonly world: World
  node: Node
  heard: string[] = []
  outputs: readonly Output[] = []

  constructor(seed = 'pushing') {
    const { world, chain } = kvChain()
    const random = createRandom(new TextEncoder().encode(seed), sha256)
    this.world = { ...world, keyring: [], version: 'test', random }
    const node = createNode(this.world, profileSettings('local'), chain.genesis)
    const side = (of: 'comet' | 'eth') => ({ side: of, remote: '', session: '' })
    this.node = {
      ...node,
      connections: new Map([
        [1, side('comet')],
        [2, side('eth')],
      ]),
    }
    const query = "tm.event = 'NewBlockHeader'"
    this.do({
      type: 'subscribeComet',
      connection: 1,
      subscription: { id: '7', text: query, query: parseQuery(query) },
    })
    this.do({ type: 'subscribeEth', connection: 2, subscription: { kind: 'newHeads' } })
  }

  do(command: NodeCommand): void {
    const { node, outputs } = apply(this.world, this.node, command)
    this.took(node, outputs)
  }

  took(node: Node, outputs: readonly Output[]): void {
    this.node = node
    this.outputs = outputs
    for (const output of outputs) {
      if (output.kind === 'push') this.heard.push(`${output.connection}:${heightIn(output.text)}`)
      if (output.kind === 'close') this.heard.push(`${output.connection} closed ${output.code} ${output.reason}`)
    }
  }

  on(effect: FaultEffect, more: Partial<FaultRule> = {}, limits: Omit<FaultToSet, 'rule'> = {}): void {
    const rule: FaultRule = {
      name: 'r',
      match: {},
      select: { type: 'all' },
      at: 'before',
      effects: [effect],
      cors: 'keep',
      ...more,
    }
    this.do({ type: 'setFault', fault: { rule, ...limits } })
  }

  mine(count = 1): void {
    for (let made = 0; made < count; made++) this.do({ type: 'produceBlock' })
  }
}

function heightIn(text: string): string {
  const { result, params, error } = JSON.parse(text)
  if (error !== undefined) return String(error.data)
  return params === undefined ? result.data.value.header.height : String(Number(params.result.number))
}

const one = (of: 'comet' | 'eth') => ({ match: { sides: [of] } })

test('a dropped event does not come, on either interface', (t) => {
  const stage = new Stage()
  stage.on({ type: 'wsDrop' }, { select: { type: 'window', skip: 1, count: 2, per: 'attempt' } })
  stage.mine(2)
  t.deepEqual(stage.heard, ['1:1', '2:2'])
  t.like(stage.node.faults.counts.get('r'), { matched: 4, applied: 2 })
})

test('rules tell subscriptions apart by kind and by query', (t) => {
  const stage = new Stage()
  stage.on({ type: 'wsDrop' }, { match: { subscriptions: ["tm.event='NewBlockHeader'"] } })
  stage.mine()
  t.deepEqual(stage.heard, ['2:1'])
  stage.on({ type: 'wsDrop' }, { match: { subscriptions: ['newHeads'] } })
  stage.mine()
  t.deepEqual(stage.heard, ['2:1', '1:2'])
})

test('a duplicated event comes as often as it says', (t) => {
  const stage = new Stage()
  stage.on({ type: 'wsDuplicate', copies: 3 }, one('eth'))
  stage.mine()
  t.deepEqual(stage.heard, ['1:1', '2:1', '2:1', '2:1'])
})

test('a delayed event is on the agenda', (t) => {
  const stage = new Stage()
  stage.on({ type: 'wsDelay', minMs: 700n, maxMs: 700n }, one('comet'))
  stage.mine()
  t.deepEqual(stage.heard, ['2:1'])
  const due = [...agendaEntries(stage.node.agenda)].filter(({ item }) => item.type === 'deliver')
  t.deepEqual(
    due.map(({ timeMs }) => timeMs),
    [700n],
  )
})

test('events of a window come in another order, and none is lost', (t) => {
  const stage = new Stage()
  stage.on({ type: 'wsReorder', window: 3 }, one('eth'))
  stage.mine(8)
  const order = stage.heard.filter((text) => text.startsWith('2:')).map((text) => Number(text.slice(2)))
  t.is(order.length, 6)
  for (const from of [0, 3]) {
    const part = order.slice(from, from + 3)
    t.deepEqual(part.toSorted(), [from + 1, from + 2, from + 3])
    t.notDeepEqual(part, part.toSorted())
  }
  stage.do({ type: 'clearFault', name: 'r' })
  t.deepEqual(stage.heard.slice(-2), ['2:7', '2:8'])
})

test('the order is that of the seed', (t) => {
  const order = (seed: string) => {
    const stage = new Stage(seed)
    stage.on({ type: 'wsReorder', window: 5 }, one('eth'))
    stage.mine(10)
    return stage.heard.join(' ')
  }
  t.is(order('a'), order('a'))
  t.not(order('a'), order('b'))
})

test('a stall keeps events back until it ends, or throws them away', (t) => {
  const stage = new Stage()
  stage.on({ type: 'wsStall', backlog: 'deliver' }, one('comet'))
  stage.on({ type: 'wsStall', backlog: 'discard' }, { ...one('eth'), name: 's' })
  stage.mine(2)
  t.deepEqual(stage.heard, [])
  stage.do({ type: 'clearFault', name: undefined })
  t.deepEqual(stage.heard, ['1:1', '1:2'])
  stage.mine()
  t.deepEqual(stage.heard, ['1:1', '1:2', '1:3', '2:3'])
})

test('a stall for some blocks ends with the block that ends it', (t) => {
  const stage = new Stage()
  stage.on({ type: 'wsStall', backlog: 'deliver' }, one('eth'), { forBlocks: 3n })
  stage.mine(2)
  t.deepEqual(stage.heard, ['1:1', '1:2'])
  stage.mine()
  t.deepEqual(stage.heard.slice(2), ['2:1', '2:2', '1:3', '2:3'])
})

test('a rule for some blocks is off after the block that ends it, and keeps its counts', (t) => {
  const stage = new Stage()
  stage.on({ type: 'wsDrop' }, one('eth'), { forBlocks: 2n })
  stage.on({ type: 'wsDuplicate', copies: 2 }, { ...one('comet'), name: 's' }, { forBlocks: 3n })
  const active = () => stage.node.faults.active.map(({ rule }) => rule.name)
  stage.mine()
  t.deepEqual(active(), ['r', 's'])
  stage.mine()
  t.deepEqual(active(), ['s'])
  t.is(stage.node.faults.counts.get('r')?.applied, 1)
  stage.mine()
  t.deepEqual(active(), [])
})

test('a stall for some time ends at its time, unless it was turned on anew', (t) => {
  const stage = new Stage()
  stage.on({ type: 'wsStall', backlog: 'deliver' }, one('eth'), { forMs: 500n })
  stage.mine()
  t.true([...agendaEntries(stage.node.agenda)].some(({ timeMs, item }) => timeMs === 500n && item.type === 'endFault'))
  const renewed = new Stage()
  renewed.on({ type: 'wsStall', backlog: 'deliver' }, one('eth'), { forMs: 500n })
  renewed.on({ type: 'wsStall', backlog: 'deliver' }, one('eth'), { forMs: 900n })
  t.is(faultEnded({ ...renewed.node, nowMs: 500n }, 'r').node.faults.active.length, 1)
  const { node, outputs } = faultEnded({ ...stage.node, nowMs: 500n }, 'r')
  t.is(node.faults.active.length, 0)
  t.is(outputs.length, 1)
})

test('time and blocks of a rule count from when it is turned on', (t) => {
  const stage = new Stage()
  stage.mine(2)
  stage.node = { ...stage.node, nowMs: 60_000n }
  stage.on({ type: 'wsDrop' }, one('eth'), { forMs: 500n, forBlocks: 3n })
  t.like(stage.node.faults.active[0], { untilMs: 60_500n, untilHeight: 5n })
})

test('a rule that its first event uses up leaves no end on the agenda', (t) => {
  const stage = new Stage()
  stage.on({ type: 'wsDrop' }, one('eth'), { forMs: 500n, once: true })
  t.is(endsOf(stage), 1)
  stage.mine()
  t.deepEqual([stage.node.faults.active.length, endsOf(stage)], [0, 0])
})

/** The number of faults whose ends are on the agenda. */
const endsOf = ({ node }: Stage): number =>
  [...agendaEntries(node.agenda)].filter(({ item }) => item.type === 'endFault').length

const knocked = ({ world, node }: Stage, side: 'comet' | 'eth') =>
  handshaken(world, node, {
    ...{ kind: 'handshake', seq: 1, timeMs: 0n, session: '', side },
    client: { ip: '', origin: undefined, userAgent: '', headers: {} },
  })

const statusOf = ({ output }: ReturnType<typeof knocked>): number => (output.kind === 'reply' ? output.status : 0)

const close: FaultEffect = {
  type: 'wsClose',
  code: 1012,
  reason: 'service restart',
  midFrame: false,
  refuseFor: { unit: 'blocks', count: 2n },
}

test('a close without a selection is at once, and nobody comes back until its blocks are made', (t) => {
  const stage = new Stage()
  stage.on(close, one('eth'), { once: true })
  t.deepEqual(stage.heard, ['2 closed 1012 service restart'])
  t.is(stage.node.faults.active.length, 0)
  t.deepEqual([...stage.node.connections.keys()], [1])
  const knock = (side: 'comet' | 'eth') => statusOf(knocked(stage, side))
  t.deepEqual([knock('eth'), knock('comet')], [503, 101])
  stage.mine()
  t.is(knock('eth'), 503)
  stage.mine()
  t.is(knock('eth'), 101)
})

test('a refusal that applies once lets the second handshake pass', (t) => {
  const stage = new Stage()
  stage.on({ type: 'wsRefuse', status: 429 }, one('eth'), { forMs: 500n, once: true })
  const first = knocked(stage, 'eth')
  t.is(statusOf(first), 429)
  stage.node = first.node
  t.deepEqual([stage.node.faults.active.length, endsOf(stage)], [0, 0])
  t.is(statusOf(knocked(stage, 'eth')), 101)
})

test('a close with a selection is at the event that it selects', (t) => {
  const stage = new Stage()
  stage.on(close, { ...one('comet'), select: { type: 'window', skip: 1, count: 1, per: 'attempt' } })
  stage.mine(3)
  t.deepEqual(stage.heard, ['1:1', '2:1', '1 closed 1012 service restart', '2:2', '2:3'])
})

test("a subscription is cancelled with CometBFT's words, or in silence", (t) => {
  const stage = new Stage()
  stage.on({ type: 'wsCancel', reason: 'testing' })
  stage.mine()
  t.deepEqual(stage.heard, ['1:subscription was canceled (reason: testing)'])
  t.deepEqual([...stage.node.subscriptions.comet, ...stage.node.subscriptions.eth], [])
  t.is(stage.node.connections.size, 2)
})
