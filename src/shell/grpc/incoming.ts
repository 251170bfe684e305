/** Buffers the bytes received for a call until they form whole messages. */
import { frameLength } from '../../rpc/grpc/frames.ts'
import type { Budget } from './budget.ts'

export type Incoming = {
  /** Adds bytes. Returns false if they exceed the budget. */
  readonly add: (part: Buffer) => boolean
  /**
   * Removes and returns the first message with its header, once it is complete. For a message
   * longer than `most`, returns only the header.
   */
  readonly next: (most: number) => Buffer | undefined
  /** Removes and returns all buffered bytes. */
  readonly rest: () => Buffer
  readonly isEmpty: () => boolean
  /** Discards all buffered bytes. */
  readonly drop: () => void
}

/** Returns an empty buffer. Received parts are joined once per message. */
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

/** Returns the first five bytes, the size of a header, or fewer if fewer have arrived. */
function headOf(parts: readonly Buffer[]): Buffer {
  const [first = Buffer.alloc(0)] = parts
  return first.length >= headBytes ? first : Buffer.concat(parts.slice(0, headBytes)).subarray(0, headBytes)
}
