/**
 * Finds earlier ranges of a growing byte array with the same content. The table holds only offsets, so
 * it leaves nothing to collect.
 */
export type ContentTable = {
  /** Offsets of ranges, their lengths and their values, in order of addition. */
  starts: Int32Array
  lengths: Int32Array
  values: Int32Array
  count: number
  /** Places of ranges by hash, plus one; 0 is free. */
  slots: Int32Array
}

const firstSize = 1024

/** Returns an empty table. */
export function contentTable(): ContentTable {
  return {
    starts: new Int32Array(firstSize),
    lengths: new Int32Array(firstSize),
    values: new Int32Array(firstSize),
    count: 0,
    slots: new Int32Array(2 * firstSize),
  }
}

/**
 * Returns the value of an earlier range whose bytes equal those from `start` to `end`. If there is none,
 * adds this range with `value` and returns undefined. Ranges that were added must not change.
 */
export function sameContent(
  table: ContentTable,
  bytes: Uint8Array,
  { start, end, value }: { readonly start: number; readonly end: number; readonly value: number },
): number | undefined {
  const length = end - start
  let slot = hashOf(bytes, start, length) & (table.slots.length - 1)
  for (;;) {
    const place = (table.slots[slot] ?? 0) - 1
    if (place < 0) break
    if (table.lengths[place] === length && equalRanges(bytes, table.starts[place] ?? 0, start, length)) {
      return table.values[place]
    }
    slot = (slot + 1) & (table.slots.length - 1)
  }
  const place = table.count++
  table.starts[place] = start
  table.lengths[place] = length
  table.values[place] = value
  table.slots[slot] = place + 1
  if (table.count === table.starts.length) grow(table, bytes)
  return undefined
}

/** FNV-1a over 32 bits. */
function hashOf(bytes: Uint8Array, start: number, length: number): number {
  let hash = 0x811c9dc5 | 0
  for (let at = start; at < start + length; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
  return hash ^ (hash >>> 15)
}

function equalRanges(bytes: Uint8Array, a: number, b: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (bytes[a + i] !== bytes[b + i]) return false
  return true
}

function grow(table: ContentTable, bytes: Uint8Array): void {
  const doubled = (old: Int32Array) => {
    const larger = new Int32Array(2 * old.length)
    larger.set(old)
    return larger
  }
  table.starts = doubled(table.starts)
  table.lengths = doubled(table.lengths)
  table.values = doubled(table.values)
  table.slots = new Int32Array(2 * table.slots.length)
  const last = table.slots.length - 1
  for (let place = 0; place < table.count; place++) {
    let slot = hashOf(bytes, table.starts[place] ?? 0, table.lengths[place] ?? 0) & last
    while (table.slots[slot] !== 0) slot = (slot + 1) & last
    table.slots[slot] = place + 1
  }
}
