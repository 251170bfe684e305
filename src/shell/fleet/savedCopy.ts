/**
 * A copy of a chain as the bytes of a snapshot: a line with its position in the log, then the
 * state.
 */
import { SimError } from '../../errors.ts'
import { packed } from '../../simulation/resume.ts'
import { bytesOfState, simulationInFile } from '../stateFile.ts'
import type { Simulation } from '../../simulation/turn.ts'
import type { Leader } from './around.ts'

type Standing = { readonly seq: number; readonly leader: Leader | undefined }

/** Returns the bytes of a copy; `standing.seq` is the number of its last input. */
export function copyBytes(shared: Simulation, standing: Standing): Uint8Array {
  return Buffer.concat([Buffer.from(`${JSON.stringify(standing)}\n`), bytesOfState(packed(shared))])
}

/** Returns the copy in bytes that `copyBytes` wrote. Throws `BadState` or `BrokenSnapshot`. */
export function copyOf(bytes: Uint8Array): Standing & { readonly simulation: Simulation } {
  const all = Buffer.from(bytes)
  const end = all.indexOf('\n')
  if (end < 0) throw new BrokenSnapshot()
  const standing = JSON.parse(all.toString('utf8', 0, end)) as Standing
  return { ...standing, simulation: simulationInFile(all.subarray(end + 1)) }
}

/** Thrown for an invalid snapshot in the Object Store. */
class BrokenSnapshot extends SimError {
  constructor() {
    super('BROKEN_SNAPSHOT', 'the snapshot of the fleet is damaged', {
      hint: 'Start the fleet under another --fleet-name.',
    })
  }
}
