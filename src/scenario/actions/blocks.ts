/** Actions that mine blocks and set the time. */
import { z } from 'zod'
import { parseTime } from '../../codec/time.ts'
import { timeToMs } from '../../data/time.ts'
import { minedMost } from '../../node/mining.ts'
import { duration } from '../shapes.ts'
import { commandAction, describedAction } from './descriptor.ts'

/** The most blocks that are mined at once; larger numbers are mined in slices. */
const atOnceMost = 50

export const blockActions = {
  mine: describedAction({
    schema: z.int().min(1).max(minedMost),
    keys: { mine: 'Mines this many blocks. Example: 3.' },
    compile: (count) => commandAction({ type: count > atOnceMost ? 'mine' : 'produceBlock', count }),
  }),
  timeJump: describedAction({
    schema: duration,
    keys: { timeJump: "Moves time forward. Example: '1d'." },
    compile: (ms) => commandAction({ type: 'advanceTime', ms }),
  }),
  setTime: describedAction({
    schema: z.iso.datetime({ error: 'expected an RFC 3339 time in UTC like 2025-01-01T00:00:00Z' }),
    keys: { setTime: "Moves time forward to this moment, RFC 3339 in UTC. Example: '2025-06-01T00:00:00Z'." },
    compile: (text) => commandAction({ type: 'setNextBlockTime', ms: timeToMs(parseTime(text)), keep: true }),
  }),
  setBlockTime: describedAction({
    schema: duration,
    keys: { setBlockTime: "Changes the time between blocks. Example: '5s'." },
    compile: (intervalMs) => commandAction({ type: 'setBlockPolicy', policy: { intervalMs } }),
  }),
  blocks: describedAction({
    schema: z.union([
      z.enum(['pause', 'resume']),
      z.strictObject({ pause: z.literal(true) }).transform(() => 'pause' as const),
      z.strictObject({ resume: z.literal(true) }).transform(() => 'resume' as const),
    ]),
    keys: {
      blocks: "Pauses or resumes mining. Example: 'pause'.",
      pause: 'Pauses mining. Example: true.',
      resume: 'Resumes mining. Example: true.',
    },
    compile: (what) => commandAction({ type: 'setBlockPolicy', policy: { paused: what === 'pause' } }),
  }),
}
