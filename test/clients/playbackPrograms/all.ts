/** Every program, and when each starts where they are recorded at once. */
import { cometSockets } from './cometSockets.ts'
import { ethersSockets } from './ethersSockets.ts'
import { lateExplorer } from './lateExplorer.ts'
import { rawSockets } from './rawSockets.ts'
import type { Cast } from './recorded.ts'
import { viemFilters } from './viemFilters.ts'
import { web3Mixed } from './web3Mixed.ts'

export const programs = {
  viemFilters,
  ethersSockets,
  web3Mixed,
  cometSockets,
  rawSockets,
  lateExplorer,
}

/** The explorer is not among them: which blocks it reads depends on when it starts. */
export const cast: Cast = [
  [viemFilters, 0],
  [ethersSockets, 100],
  [web3Mixed, 0],
  [cometSockets, 300],
  [rawSockets, 500],
]
