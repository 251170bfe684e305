/**
 * Retries requests to NATS while a member starts: a cluster needs time to elect the server that
 * keeps a stream.
 */
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { SimError, thrownText } from '../../errors.ts'

const patienceMs = 15_000
const usualMs = 200

/**
 * Resolves with the result of `work`, retried every `againMs` milliseconds for 15 s. Throws
 * `FleetSilent`, and errors of chainstage immediately.
 */
export async function patiently<Value>(work: () => Promise<Value>, againMs = usualMs): Promise<Value> {
  const since = performance.now()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof SimError) throw error
      if (performance.now() - since > patienceMs) throw new FleetSilent(error)
    }
    await delay(againMs)
  }
}

/** Thrown when NATS is reachable but JetStream fails every request. */
class FleetSilent extends SimError {
  constructor(cause: unknown) {
    super('FLEET_SILENT', `JetStream did not answer within ${patienceMs / 1000} s: ${thrownText(cause)}`, {
      cause,
      hint: 'Check that nats-server runs with -js, and that most servers of its cluster are up.',
    })
  }
}
