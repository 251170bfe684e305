/**
 * Moves block time. All values are in seconds; `evm_setTime` also accepts milliseconds, recognized
 * by their size.
 */
import type { Outcome } from '../../chain/outcome.ts'
import { lastTimestamp } from '../../data/time.ts'
import type { NodeCommand } from '../../node/command.ts'
import { invalidParams } from '../eth/errors.ts'
import { param, type Context, type Method } from '../method.ts'
import { control } from './control.ts'
import { dialectOf, perDialect } from '../devDialects.ts'
import { seconds } from './integers.ts'

const millisecondsFrom = 1_000_000_000_000n

export const time: readonly Method[] = [
  ...control({
    names: {
      evm_increaseTime: perDialect({
        anvil: offsetSeconds,
        ganache: offsetSeconds,
        hardhat: (context, outcome) => String(offsetSeconds(context, outcome)),
      }),
      anvil_increaseTime: offsetSeconds,
    },
    summary:
      'Moves block time forward by a number of seconds, starting with the next block, and returns the total offset.',
    params: [param('seconds', seconds)],
    examples: [['0x1a4']],
    command: ({ node }, [value]) => {
      checkTimestamp(node.chain.lastBlockTime.seconds + value)
      return { type: 'advanceTime', ms: value * 1000n }
    },
  }),
  ...control({
    names: {
      evm_setNextBlockTimestamp: perDialect({ anvil: null, ganache: null, hardhat: nextSeconds }),
      anvil_setNextBlockTimestamp: null,
    },
    summary: 'Sets the timestamp of the next block, in seconds since 1970; later blocks continue from it.',
    params: [param('timestamp', seconds)],
    examples: [['0x773594000']],
    command: (context, [value]) => nextBlockTime(context, value),
  }),
  ...control({
    names: {
      evm_setTime: perDialect({ anvil: secondsMoved, ganache: offsetSeconds, hardhat: secondsMoved }),
      anvil_setTime: secondsMoved,
    },
    summary:
      'Sets the block clock, in seconds (or milliseconds) since 1970, and returns by how many seconds it moved forward.',
    params: [param('time', seconds)],
    examples: [['0x773594000']],
    command: (context, [value]) => nextBlockTime(context, isInMilliseconds(context, value) ? value / 1000n : value),
  }),
]

/** Throws if RFC 3339 cannot represent a timestamp, in seconds since 1970. */
export function checkTimestamp(timestamp: bigint): void {
  if (timestamp <= lastTimestamp) return
  throw invalidParams(
    `expected a time of at most ${lastTimestamp} seconds (the end of the year 9999), ` + `received ${timestamp}`,
  )
}

/**
 * Returns the command that sets the next block's timestamp, from which later blocks continue. Throws
 * if the chain is already past it, and if RFC 3339 cannot represent it. The last block's second is
 * refused only where Hardhat does: a chain may have several blocks in a second.
 */
export function nextBlockTime(context: Context, timestamp: bigint): NodeCommand {
  const { lastBlockTime, height } = context.node.chain
  checkTimestamp(timestamp)
  const isSame = timestamp === lastBlockTime.seconds && dialectOf(context) !== 'hardhat'
  if (height > 0n && timestamp <= lastBlockTime.seconds && !isSame) {
    throw invalidParams(
      `Timestamp error: ${timestamp} is not later than the last block's ${lastBlockTime.seconds} (seconds)`,
    )
  }
  return { type: 'setNextBlockTime', ms: timestamp * 1000n, keep: true }
}

/** Ganache always uses milliseconds. */
function isInMilliseconds(context: Context, value: bigint): boolean {
  return value >= millisecondsFrom || dialectOf(context) === 'ganache'
}

/** Hardhat returns the timestamp of the next block as decimal text. */
function nextSeconds({ node }: Context): string {
  const { next } = node.chain.clock
  return String(next?.seconds ?? 0n)
}

/** Returns the total offset in whole seconds; a timestamp set by a user can add part of a second. */
function offsetSeconds(_context: Context, outcome: Outcome): number {
  return outcome.type === 'timeMoved' ? Number(outcome.offsetMs / 1000n) : 0
}

/** Returns by how many seconds the clock moved. Anvil counts from the second that has begun. */
function secondsMoved(_context: Context, outcome: Outcome): number {
  return outcome.type === 'timeMoved' ? Math.max(0, Math.ceil(Number(outcome.byMs) / 1000)) : 0
}
