/**
 * A queue for a forked chain. Calls about the other chain's history enter with that chain's answer,
 * or with its part of the answer; our chain executes all other inputs.
 */
import type { Answer, OtherPart } from '../../node/answer.ts'
import type { InputBody } from '../../plan/input.ts'
import type { RequestInput } from '../../node/input.ts'
import type { World } from '../../node/world.ts'
import { sides } from '../../rpc/sides.ts'
import type { OnReply, Queue } from '../queue.ts'
import { idsOf, stoppedReply, type Ids } from '../stopped.ts'
import { errorAnswer, type Forking } from './forking.ts'
import { historyAnswer } from './history.ts'

export type ForkQueueOptions = Forking & { readonly world: World; readonly queue: Queue }

/** Returns a queue that answers for both chains and keeps the order of messages on a connection. */
export function createForkQueue({ source, height, misses, world, queue }: ForkQueueOptions): Queue {
  const late = new Map<number, Promise<void>>()

  function enter(body: InputBody, onReply?: Parameters<Queue['enter']>[1]): void {
    const connection = 'connection' in body ? body.connection : undefined
    const before = connection === undefined ? undefined : late.get(connection)
    const answered = body.kind === 'request' ? answeredLate(body) : undefined
    // The end of a connection waits too: a subscription that entered behind it would never end.
    if (answered === undefined && before === undefined) return queue.enter(body, onReply)
    const reply = onReply && onceEvenIfStopped(queue, idsOf(body), onReply)
    const done = Promise.all([answered ?? body, before]).then(([whole]) => queue.enter(whole, reply))
    if (connection === undefined) return
    const last = done.finally(() => {
      if (late.get(connection) === last) late.delete(connection)
    })
    late.set(connection, last)
  }

  /** Resolves with the request and the other chain's answers; undefined if our chain answers all calls. */
  function answeredLate(request: RequestInput): Promise<RequestInput> | undefined {
    return answersTo(request)?.then((recorded) => ({ ...request, recorded }))
  }

  /** Returns undefined if our chain answers all calls. */
  function answersTo(request: RequestInput): Promise<readonly (Answer | OtherPart | undefined)[]> | undefined {
    const { node } = queue.simulation()
    const message = sides[request.side].read({ ...request, seq: 0, timeMs: 0n, session: '' }, node, world)
    if (message.kind === 'response') return undefined
    const given = message.calls.map((call) =>
      historyAnswer({ source, height, misses, world, node }, request.side, call),
    )
    if (given.every((one) => one === undefined)) return undefined
    return Promise.all(given.map((one) => one?.catch((error: unknown) => errorAnswer(error, misses))))
  }

  return { ...queue, enter }
}

/** Returns an `onReply` that is called once: with its reply, or when the queue stops before that. */
function onceEvenIfStopped({ onStop }: Queue, ids: Ids, onReply: OnReply): OnReply {
  let isAnswered = false
  const answer: OnReply = (reply) => {
    if (isAnswered) return
    isAnswered = true
    forget()
    onReply(reply)
  }
  const forget = onStop(() => answer(stoppedReply(ids)))
  return answer
}
