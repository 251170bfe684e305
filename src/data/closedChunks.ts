/** The closed chunks of lists (`segments.ts`): finds their bytes, and maps lists without opening them. */
import { type Chunk, type HeldBytes, isOpen, type Segments, type Storage } from './segments.ts'

/** Yields the bytes of all closed chunks of a list, the newest first. */
export function* heldOf<Item>({ storage }: Segments<Item>): Generator<HeldBytes> {
  for (let at = storage.chunks.length - 1; at >= 0; at--) {
    const chunk = storage.chunks[at]
    if (chunk !== undefined && !isOpen(chunk)) yield chunk.held
  }
}

/** Some of the bytes of a chunk, and their CRC-32. */
export type ChunkPart = { readonly at: number; readonly length: number; readonly sum: number }

/** Returns some of the bytes of a chunk, wherever they are. Throws if they cannot be read. */
export function chunkPart({ bytes }: HeldBytes, part: ChunkPart): Uint8Array {
  return bytes instanceof Uint8Array ? bytes.subarray(part.at, part.at + part.length) : bytes.part(part)
}

/** Functions that replace the items of a list, and the bytes of its closed chunks. */
export type SegmentsChange<Item> = {
  readonly item?: <One extends Item | object>(item: One) => One
  readonly held?: (held: HeldBytes) => HeldBytes
}

/**
 * Returns a function that maps lists item by item, once per shared storage; each list keeps its
 * length. Closed chunks stay closed: `item` maps only their unserialized objects.
 */
export function segmentsMapper<Item>({
  item: change = same,
  held: moved = same,
}: SegmentsChange<Item>): (list: Segments<Item>) => Segments<Item> {
  const known = new Map<Storage<Item>, Storage<Item>>()
  const changed = (chunk: Chunk<Item>): Chunk<Item> =>
    isOpen(chunk)
      ? chunk.map((item) => change(item))
      : { ...chunk, held: moved(chunk.held), kept: chunk.kept.map((one) => change(one)) }
  return ({ length, storage }) => {
    const mapped = known.get(storage) ?? { ...storage, chunks: storage.chunks.map(changed) }
    known.set(storage, mapped)
    return { length, storage: mapped }
  }
}

function same<Value>(value: Value): Value {
  return value
}
