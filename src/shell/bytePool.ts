/**
 * Memory for long texts in bytes, used again and again: new memory for each long response took a third of the
 * time of a large read.
 */
export type BytePool = {
  /** Returns at least `size` bytes, whose content is undefined. */
  readonly take: (size: number) => Buffer
  /** Takes bytes back, which nobody reads or writes any more. */
  readonly give: (bytes: Buffer) => void
}

/** Sizes are multiples of this, so that bytes fit other texts of similar length. */
const stepBytes = 4 * 1024
/** How many bytes a pool keeps that nobody uses. */
const spareMostBytes = 1024 * 1024

/** Returns an empty pool, to which bytes must be given back once at most. */
export function createBytePool(): BytePool {
  const spares: Buffer[] = []
  let spareBytes = 0
  return {
    take: (size) => {
      const spare = spares.pop()
      spareBytes -= spare?.length ?? 0
      if (spare !== undefined && spare.length >= size) return spare
      return Buffer.allocUnsafeSlow(Math.ceil(size / stepBytes) * stepBytes)
    },
    give: (bytes) => {
      if (spareBytes + bytes.length > spareMostBytes) return
      spares.push(bytes)
      spareBytes += bytes.length
    },
  }
}
