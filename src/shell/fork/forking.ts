/** Connects a server to the chain that its own chain is forked from. */
import type { Fact, WantedPart } from '../../app/forked.ts'
import type { DistinctTexts } from '../../data/distinctTexts.ts'
import { isExpected, SimError, thrownText } from '../../errors.ts'
import type { Answer } from '../../node/answer.ts'
import type { InputBody } from '../../plan/input.ts'
import type { World } from '../../node/world.ts'
import { ownCodes } from '../../rpc/ownCodes.ts'
import { sides } from '../../rpc/sides.ts'
import type { Learning } from '../queue.ts'
import { factsOf, StateMissing } from './facts.ts'
import type { ForkSource } from './source.ts'
import type { ForkedAt } from './stores.ts'
import { unansweredCode } from './unanswered.ts'
import type { Simulation } from '../../simulation/turn.ts'

/**
 * A forked chain. `height` is the last block of the other chain; `misses` collects calls that a
 * recording of it lacks.
 */
export type Forking = {
  readonly source: ForkSource
  readonly height: bigint
  readonly misses: DistinctTexts
}

/** Maximum number of rounds of requests that one input may need. */
const roundsMost = 200

/**
 * Returns the functions with which a queue fetches missing facts, and answers calls that cannot get
 * them.
 */
export function learningOf(world: World, { source, height, addressTexts, misses }: Forking & ForkedAt): Learning {
  return {
    learn: (wanted: readonly WantedPart[], rounds: number): Promise<readonly Fact[]> => {
      if (rounds < roundsMost) return factsOf(source, { height, addressTexts }, wanted)
      return Promise.reject(new TooMuchWanted(wanted.length))
    },
    refused: (body, simulation, error) => refusedRequest({ world, simulation, misses, error }, body),
  }
}

type Refusal = Pick<Forking, 'misses'> & {
  readonly world: World
  readonly simulation: Simulation
  readonly error: unknown
}

/**
 * Returns the request with the error as the answer to each of its calls, or undefined if the input
 * is not a request.
 */
function refusedRequest({ world, simulation, misses, error }: Refusal, body: InputBody): InputBody | undefined {
  if (body.kind !== 'request') return undefined
  const message = sides[body.side].read({ ...body, seq: 0, timeMs: 0n, session: '' }, simulation.node, world)
  if (message.kind === 'response') return body
  const recorded = message.calls.map((_, index) => {
    const given = body.recorded?.[index]
    return given !== undefined && 'ok' in given ? given : errorAnswer(error, misses)
  })
  return { ...body, recorded }
}

/**
 * Returns the error for a call that needs missing state, and notes a call that was not recorded. A bug
 * is an internal error.
 */
export function errorAnswer(error: unknown, misses: DistinctTexts): Answer {
  const message = thrownText(error)
  if (!isExpected(error)) {
    const data = JSON.stringify(`a bug in chainstage: ${message}`)
    return { ok: false, error: { code: -32603, message: 'Internal error', data } }
  }
  if (codeOf(error) === ownCodes.notRecorded) misses.add(message)
  return { ok: false, error: { code: codeOf(error), message, data: undefined } }
}

function codeOf(error: unknown): number {
  return error instanceof StateMissing ? error.rpcCode : unansweredCode(error)
}

/** A call that still misses state of the forked chain after the last round of requests. */
export class TooMuchWanted extends SimError {
  constructor(count: number) {
    super(
      'TOO_MUCH_WANTED',
      `chainstage: after ${roundsMost} rounds of requests to the forked chain, ${count} values are still missing`,
      {
        hint: 'Retry the call: the values fetched so far are kept.',
      },
    )
  }
}
