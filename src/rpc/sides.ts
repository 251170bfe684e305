import type { Side as SideName } from '../node/input.ts'
import { cometSide } from './comet/side.ts'
import { ethSide } from './eth/side.ts'
import type { Side } from './transport.ts'

/** The two interfaces by name. */
export const sides: Readonly<Record<SideName, Side>> = { comet: cometSide, eth: ethSide }
