/** What is asked of NATS while a member starts: a cluster elects who keeps a stream, which takes a while. */
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { SimError, thrownText } from '../../errors.ts'

const patienceMs = 15_000
const usualMs = 200

/** Resolves as `work` does, tried again every `againMs` for 15 s. Throws `FleetSilent`, and errors of ours at once. */
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

/** NATS is reached, but JetStream does not do what it is asked. */
class FleetSilent extends SimError {
  constructor(cause: unknown) {
    super('FLEET_SILENT', `JetStream did not answer within ${patienceMs / 1000} s: ${thrownText(cause)}`, {
      cause,
      hint: 'Check that nats-server runs with -js, and that most servers of its cluster are up.',
    })
  }
}
