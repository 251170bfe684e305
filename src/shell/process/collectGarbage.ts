/** Collects garbage on request. A module of its own, because not every build of Node has an inspector. */
import { Session } from 'node:inspector/promises'
import { setImmediate } from 'node:timers/promises'
import { noteForced } from './garbage.ts'

/**
 * Collects all garbage and returns unused memory to the system. `gc`, which V8 exposes under a flag,
 * would keep that memory; what a debugger asks for returns it.
 */
export async function collectGarbage(): Promise<void> {
  const session = new Session()
  session.connect()
  try {
    await session.post('HeapProfiler.collectGarbage')
    noteForced()
    // A session that is disconnected while it answers never ends.
    await setImmediate()
  } finally {
    session.disconnect()
  }
}
