/** Broadcasts that a step waits for, as a client waits for `broadcast_tx_commit`. */
import type { Broadcast, Facts, RpcAnswer } from './facts.ts'

/** Returns the facts with a broadcast's response, which is also the result of its step. */
export function withBroadcastAnswer(facts: Facts, key: string, answer: RpcAnswer): Facts {
  const { broadcasts = {}, answers } = facts
  const one = broadcasts[key]
  if (one === undefined) return facts
  return {
    ...facts,
    answers: { ...answers, [one.step]: answer.text },
    broadcasts: { ...broadcasts, [key]: { ...one, answer } },
  }
}

/** Returns the broadcasts of a step that are not yet checked. */
export function broadcastsOf({ broadcasts = {} }: Facts, step: string): readonly Broadcast[] {
  return Object.values(broadcasts).filter((one) => one.step === step)
}

/** Returns the facts without the broadcasts of a step. */
export function withoutBroadcasts(facts: Facts, step: string): Facts {
  const others = Object.entries(facts.broadcasts ?? {}).filter(([, one]) => one.step !== step)
  return { ...facts, broadcasts: Object.fromEntries(others) }
}

type Checked = { readonly code?: number; readonly log?: string }
type Answer = Checked & {
  readonly data?: string
  readonly message?: string
  readonly check_tx?: Checked
  readonly tx_result?: Checked
}

/**
 * Returns why a transaction was rejected or failed, from the response of a `broadcast_tx_…` method;
 * undefined if it was neither.
 */
export function broadcastRefusal({ isError, text }: RpcAnswer): string | undefined {
  const answer = JSON.parse(text) as Answer | null
  if (answer === null) return 'the broadcast received no response'
  if (isError) return answer.data ?? answer.message ?? text
  const failed = [answer, answer.check_tx, answer.tx_result].find((one) => (one?.code ?? 0) !== 0)
  return failed === undefined ? undefined : failed.log || `code ${failed.code}`
}
