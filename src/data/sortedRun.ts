/**
 * A sorted run: an immutable index from keys to ascending numbers, as bytes that may be in a file.
 * Looking up a key reads the directory of the run and at most one page. Both are cached.
 *
 * | part | content |
 * |---|---|
 * | pages | entries in the order of their keys, at least 8 kB each, deflated (RFC 1951); an entry is never split |
 * | directory | first key, end and CRC-32 of every page, and a Bloom filter of all keys |
 *
 * An entry is a row of varints. Keys 'ab' with the numbers 10, 11 and 14, and 'ac' with 12, in a run
 * from number 10:
 *
 * | entry | shared with the key before | rest: length, UTF-16 units | ranges: count, gap and length − 1 of each |
 * |---|---|---|---|
 * | ab | 0 | 2, 97 98 | 2, 0 1, 2 0 |
 * | ac | 1 | 1, 99 | 1, 2 0 |
 */
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import { toBinaryString } from './binaryString.ts'
import { concatBytes } from './bytes.ts'
import { keyFilterOf, hashOfKey, mayHold } from './keyFilter.ts'
import { chunkPart } from './closedChunks.ts'
import { plainBytes } from './plainBytes.ts'
import { plainValues } from './plainValue.ts'
import { remembered } from './remembered.ts'
import type { HeldBytes } from './segments.ts'
import { maxVarintLength, readUvarint, writeUvarint } from './varint.ts'

/** Ascending numbers: the first of each range and the number after its last, in turn. */
export type Ranges = readonly number[]

export type RunEntry = readonly [key: string, ranges: Ranges]

/**
 * `from` is at most the lowest number; numbers from `to` on do not count. The directory begins at
 * `directory`; `bytes` is the length of the whole run, and `sum` the CRC-32 of the directory.
 */
export type SortedRun = {
  readonly from: number
  readonly to: number
  readonly bytes: number
  readonly directory: number
  readonly sum: number
  readonly held: HeldBytes
}

type Directory = {
  readonly pages: readonly Page[]
  readonly filter: Uint8Array
}

type Page = {
  readonly run: SortedRun
  readonly firstKey: string
  readonly at: number
  readonly length: number
  readonly sum: number
}

const pageBytes = 8192

/** Returns the run of entries, whose keys must ascend by UTF-16 unit and whose numbers are below `to`. */
export function writeRun(entries: Iterable<RunEntry>, { from, to }: Pick<SortedRun, 'from' | 'to'>): SortedRun {
  const out: Writing = { bytes: new Uint8Array(2 * pageBytes), length: 0 }
  const [firsts, ends, sums, hashes]: [string[], number[], number[], number[]] = [[], [], [], []]
  const pages: Uint8Array[] = []
  let before = ''
  const endPage = (): void => {
    const page = deflateRawSync(out.bytes.subarray(0, out.length), { level: 1 })
    pages.push(page)
    ends.push((ends.at(-1) ?? 0) + page.length)
    sums.push(crc32(page))
    out.length = 0
  }
  for (const [key, ranges] of entries) {
    if (out.length === 0) {
      firsts.push(key)
      before = ''
    }
    writeEntry(out, sharedUnits(before, key), [key, ranges], from)
    hashes.push(hashOfKey(key))
    before = key
    if (out.length >= pageBytes) endPage()
  }
  if (out.length > 0) endPage()
  const { bytes } = plainBytes([firsts, ends, sums, keyFilterOf(hashes)])
  const all = concatBytes([...pages, bytes])
  return { from, to, bytes: all.length, directory: ends.at(-1) ?? 0, sum: crc32(bytes), held: { bytes: all } }
}

type Writing = { bytes: Uint8Array; length: number }

function writeEntry(out: Writing, shared: number, [key, ranges]: RunEntry, from: number): void {
  reserve(out, maxVarintLength * (3 + key.length + ranges.length))
  const { bytes } = out
  let at = writeUvarint(bytes, out.length, shared)
  at = writeUvarint(bytes, at, key.length - shared)
  for (let place = shared; place < key.length; place++) {
    const unit = key.charCodeAt(place)
    if (unit < 0x80) bytes[at++] = unit
    else at = writeUvarint(bytes, at, unit)
  }
  at = writeUvarint(bytes, at, ranges.length / 2)
  let last = from
  for (let place = 0; place < ranges.length; place += 2) {
    const [first = last, end = last] = [ranges[place], ranges[place + 1]]
    at = writeUvarint(bytes, at, first - last)
    at = writeUvarint(bytes, at, end - first - 1)
    last = end
  }
  out.length = at
}

function reserve(out: Writing, more: number): void {
  if (out.length + more <= out.bytes.length) return
  const larger = new Uint8Array(2 * out.bytes.length + more)
  larger.set(out.bytes)
  out.bytes = larger
}

function sharedUnits(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let count = 0
  while (count < most && a.charCodeAt(count) === b.charCodeAt(count)) count++
  return count
}

/** Returns the numbers of a key, or undefined. */
export function rangesOf(run: SortedRun, key: string): Ranges | undefined {
  const { filter, pages } = directoryOf(run)
  if (!mayHold(filter, hashOfKey(key))) return undefined
  const page = pages[pageOf(pages, key)]
  return page === undefined ? undefined : recentEntriesOf(page).find((entry) => entry[0] === key)?.[1]
}

/** Yields all entries in order. Nothing is cached: merges read a run once. */
export function entriesOf(run: SortedRun): Generator<RunEntry> {
  return entriesIn(readDirectory(run), '')
}

/** Yields the entries from a key on, in order. */
export function entriesFrom(run: SortedRun, start: string): Generator<RunEntry> {
  return entriesIn(directoryOf(run), start)
}

function* entriesIn({ pages }: Directory, start: string): Generator<RunEntry> {
  for (const page of pages.slice(pageOf(pages, start))) {
    for (const entry of entriesOfPage(page)) if (entry[0] >= start) yield entry
  }
}

/** Directories take up to 200 kB each. */
const directoryOf = remembered(readDirectory, 256)

function readDirectory(run: SortedRun): Directory {
  const { held, directory, bytes, sum: ownSum } = run
  const part = chunkPart(held, { at: directory, length: bytes - directory, sum: ownSum })
  const [firsts, ends, sums, filter] = plainValues({ bytes: part, kept: [] }) as [
    string[],
    number[],
    number[],
    Uint8Array,
  ]
  const pages = firsts.map((firstKey, page): Page => {
    const [at = 0, end = 0, sum = 0] = [ends[page - 1], ends[page], sums[page]]
    return { run, firstKey, at, length: end - at, sum }
  })
  return { pages, filter }
}

/** Returns the number of the page that would contain a key. */
function pageOf(pages: readonly Page[], key: string): number {
  let [low, high] = [0, pages.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((pages[middle]?.firstKey ?? '') <= key) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

/** The same few pages are read again and again: clients follow their newest transactions. */
const recentEntriesOf = remembered(entriesOfPage, 64)

function entriesOfPage({ run: { held, from }, at, length, sum }: Page): readonly RunEntry[] {
  const input = { bytes: inflateRawSync(chunkPart(held, { at, length, sum })), at: 0 }
  const entries: RunEntry[] = []
  let key = ''
  while (input.at < input.bytes.length) {
    key = key.slice(0, readVarint(input)) + readUnits(input, readVarint(input))
    const ranges: number[] = []
    let last = from
    for (let count = readVarint(input); count > 0; count--) {
      const first = last + readVarint(input)
      last = first + readVarint(input) + 1
      ranges.push(first, last)
    }
    entries.push([key, ranges])
  }
  return entries
}

type Reading = { readonly bytes: Uint8Array; at: number }

/** Units below 128, as in nearly all keys, are bytes. */
function readUnits(input: Reading, count: number): string {
  const { bytes, at } = input
  let end = at
  while (end < at + count && (bytes[end] ?? 0) < 0x80) end++
  input.at = end
  let text = toBinaryString(bytes, at, end)
  while (text.length < count) text += String.fromCharCode(readVarint(input))
  return text
}

function readVarint(input: Reading): number {
  return readUvarint(input, 'an entry ends on its page')
}
