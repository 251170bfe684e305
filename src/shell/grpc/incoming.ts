/** The bytes of a call that have come and are not entered yet: whole messages, and the beginning of the next one. */
import { frameLength } from '../../rpc/grpc/frames.ts'
import type { Budget } from './budget.ts'

export type Incoming = {
  /** Adds bytes; returns whether the budget allows them. */
  readonly add: (part: Buffer) => boolean
  /** Takes the first message with its head once all of it is there. One that is too long is its head alone. */
  readonly next: (most: number) => Buffer | undefined
  /** Takes all that is there. */
  readonly rest: () => Buffer
  readonly isEmpty: () => boolean
  /** Forgets everything. */
  readonly drop: () => void
}

/** Returns an empty buffer. Parts are joined once for each message, however many there are. */
export function createIncoming(budget: Budget): Incoming {
  let parts: Buffer[] = []
  let size = 0
  let wanted: number | undefined

  function joined(): Buffer {
    const [first] = parts
    if (parts.length !== 1 || first === undefined) parts = [Buffer.concat(parts)]
    return parts[0] ?? Buffer.alloc(0)
  }

  function take(length: number): Buffer {
    const all = joined()
    parts = length < all.length ? [all.subarray(length)] : []
    size -= length
    wanted = undefined
    budget.giveBack(length)
    return all.subarray(0, length)
  }

  return {
    add: (part) => {
      if (!budget.take(part.length)) return false
      parts.push(part)
      size += part.length
      return true
    },
    next: (most) => {
      wanted ??= size === 0 ? undefined : frameLength(headOf(parts), most)
      return wanted !== undefined && size >= wanted ? take(wanted) : undefined
    },
    rest: () => take(size),
    isEmpty: () => size === 0,
    drop: () => void take(size),
  }
}

const headBytes = 5

/** Returns the first bytes of some parts, as many as a head has if they have come. */
function headOf(parts: readonly Buffer[]): Buffer {
  const [first = Buffer.alloc(0)] = parts
  return first.length >= headBytes ? first : Buffer.concat(parts.slice(0, headBytes)).subarray(0, headBytes)
}
