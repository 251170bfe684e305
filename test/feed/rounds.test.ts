import { createHash } from 'node:crypto'
import test from 'ava'
import type { Application } from '../../src/app/application.ts'
import type { BlockRecord } from '../../src/chain/block.ts'
import type { Chain, ChainWorld } from '../../src/chain/chain.ts'
import { produceBlock } from '../../src/chain/produceBlock.ts'
import { firstChain, parseGenesis } from '../../src/chain/genesis.ts'
import { cometPushes, messagesOf } from '../../src/feed/comet.ts'
import { parseQuery } from '../../src/feed/parseQuery.ts'
import { golden } from '../golden.ts'
import { fromBase64, toHex, type WireHeader } from '../helpers/cometJson.ts'
import { kvApp } from '../helpers/kvApp.ts'
import { kvChain } from '../helpers/kvChain.ts'

/** A recorded chain of two validators whose second one never runs and is removed by block 21. */
type Two = {
  two: {
    blocks: {
      height: string
      header: WireHeader
      commit: { round: number; signatures: { block_id_flag: number }[] }
      validators: { address: string; proposer_priority: string }[]
    }[]
    validators: { pub_key: { type: string; value: string }; voting_power: string }[]
  }
}
const { two } = golden<Two>('vectors-a.json')
/** Heights 1 to 7 and 20 to 22. */
const { events: recorded, frames } = golden<{
  events: string[]
  frames: Record<string, object>
}>('rounds.json')
const [, absent] = two.validators

/** Signatures are fakes: this is about who votes when. */
const signers = {
  sign: (address: Uint8Array, bytes: Uint8Array) =>
    toHex(address) === two.blocks[0]?.validators[0]?.address
      ? new Uint8Array(createHash('sha512').update(bytes).digest())
      : undefined,
}

const app: Application = {
  ...kvApp,
  finalizeBlock: (state, request) => {
    const done = kvApp.finalizeBlock(state, request)
    const publicKey = { type: 'ed25519' as const, bytes: fromBase64(absent?.pub_key.value ?? '') }
    const validatorUpdates = request.height === 21n ? [{ publicKey, power: 0n }] : []
    return { ...done, result: { ...done.result, validatorUpdates } }
  },
}

function played(): readonly BlockRecord[] {
  const given = kvChain()
  const world: ChainWorld = { ...given.world, app, signers }
  const genesis = parseGenesis(
    JSON.stringify({
      chain_id: 'two',
      genesis_time: '2025-01-01T00:00:00Z',
      validators: two.validators.map(({ pub_key, voting_power }) => ({ pub_key, power: voting_power })),
    }),
    new Uint8Array(32),
  )
  let chain: Chain = firstChain(world, genesis, given.chain)
  return two.blocks.map(() => {
    const { chain: next, events } = produceBlock(world, chain, { nowMs: 0n })
    chain = next
    const [first] = events
    if (first?.type !== 'blockCommitted') throw new Error('no block')
    return first.record
  })
}

test('a validator that is down loses its turns in the rounds in which a real one did', (t) => {
  for (const [index, { block, seenCommit, validators }] of played().entries()) {
    const real = two.blocks[index]
    t.is(seenCommit.round, real?.commit.round ?? -1)
    t.is(toHex(block.header.proposerAddress), real?.header.proposer_address ?? '')
    t.deepEqual(
      seenCommit.signatures.map(({ flag }) => flag as number),
      real?.commit.signatures.map(({ block_id_flag }) => block_id_flag),
    )
    t.deepEqual(
      validators.validators.map(({ address, priority }) => [toHex(address), String(priority)]),
      real?.validators.map(({ address, proposer_priority }) => [address, proposer_priority]),
    )
  }
})

test('consensus events come in the order in which a real node sent them', (t) => {
  const seen = new Set(recorded.map(heightOf))
  const sent = played()
    .slice(0, 22)
    .flatMap((record) => messagesOf({ type: 'blockCommitted', record }, signers))
    .map((message) =>
      lineOf(JSON.parse(JSON.stringify(message.data())) as Frame, message.events.get('tm.event')?.[0] ?? ''),
    )
  const lines = ['NewRoundStep | RoundState | 1 | 0 | RoundStepNewHeight', ...sent].filter((line) =>
    seen.has(heightOf(line)),
  )
  t.deepEqual(lines, recorded)
})

const listener = (query: string, id = '1') => ({ id, text: query, query: parseQuery(query) })

test('frames of rounds and validator updates have the bytes of a real node', (t) => {
  const heard = new Map([[1, [listener('tm.event EXISTS')]]])
  const texts = new Set(
    played()
      .slice(0, 22)
      .flatMap((record) => cometPushes(heard, [{ type: 'blockCommitted', record }], signers))
      .map(({ text }) => text),
  )
  for (const [name, frame] of Object.entries(frames)) t.true(texts.has(JSON.stringify(frame)), name)
})

test('subscribers of the same id and query share a text, and each of them hears everything in order', (t) => {
  const both = 'tm.event EXISTS'
  const heard = new Map([
    [1, [listener(both), listener("tm.event='NewBlock'")]],
    [2, [listener(both)]],
    [3, [listener(both, '"x"')]],
  ])
  const pushes = cometPushes(
    heard,
    played()
      .slice(0, 2)
      .map((record) => ({ type: 'blockCommitted', record })),
    signers,
  )
  const namesFor = (connection: number, query: string) =>
    pushes
      .filter(({ connections, text }) => connections.includes(connection) && text.includes(JSON.stringify(query)))
      .map(
        ({ text }) =>
          (JSON.parse(text) as { result: { events: { 'tm.event': string[] } } }).result.events['tm.event'][0],
      )
  t.deepEqual(namesFor(1, both), namesFor(2, both))
  t.deepEqual(namesFor(1, both), namesFor(3, both))
  t.deepEqual(namesFor(1, both).slice(0, 4), ['NewRound', 'NewRoundStep', 'CompleteProposal', 'NewRoundStep'])
  t.deepEqual(namesFor(1, "tm.event='NewBlock'"), ['NewBlock', 'NewBlock'])
  t.true(
    pushes
      .filter(({ connections }) => connections.length === 2)
      .every(({ connections }) => connections.join() === '1,2'),
  )
  t.true(pushes.some(({ connections }) => connections.join() === '3'))
})

function heightOf(line: string): string {
  return line.split(' | ')[2] ?? ''
}

type Frame = {
  type: string
  value: {
    height?: string
    round?: number
    step?: string
    block?: { header: { height: string } }
    header?: { height: string }
    Vote?: { type: number; height: string; round: number; block_id: { hash: string } }
  }
}

/** A frame in the words of the recording. */
function lineOf({ type, value }: Frame, name: string): string {
  const kind = type.replace('tendermint/event/', '')
  const { Vote: vote } = value
  if (vote !== undefined) {
    return [
      name,
      kind,
      vote.height,
      vote.round,
      `type ${vote.type} ${vote.block_id.hash === '' ? 'nil' : 'block'}`,
    ].join(' | ')
  }
  const height = value.height ?? value.block?.header.height ?? value.header?.height ?? ''
  return [name, kind, height, value.round ?? '', value.step ?? ''].join(' | ')
}
