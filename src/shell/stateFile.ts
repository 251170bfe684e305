/**
 * A whole node in a file: a header line in JSON, then the compressed simulation. A simulation is
 * plain data with shared parts, so V8's serialization format can represent it. The digest detects
 * damage. A snapshot of a kept chain may refer to old blocks, states and index entries in other files
 * (`inputLog/chunkPlace.ts`); every other file contains them.
 */
import { readFile } from 'node:fs/promises'
import { deserialize, serialize } from 'node:v8'
import { promisify } from 'node:util'
import { crc32, gunzipSync, gzip, gzipSync, type ZlibOptions } from 'node:zlib'
import { z } from 'zod'
import { heldIn } from '../chain/heldHistory.ts'
import { parsedJson } from '../data/parsedJson.ts'
import type { HeldBytes } from '../data/segments.ts'
import { SimError, thrownText } from '../errors.ts'
import { awoken, chainsOf, resting, type Resting } from '../simulation/resume.ts'
import { type Disk, readChunks, systemDisk } from './durable/disk.ts'
import { writeFileWhole } from './durable/writeFile.ts'
import { BrokenHistory, type ChunkPlace, historyPathOf, type PartSize, readChunk } from './inputLog/chunkPlace.ts'
import { packageVersion } from './packageFiles.ts'
import type { Simulation } from '../simulation/turn.ts'
import { sha256Hex } from '../crypto/hash.ts'

const stateFormat = 11

// The size of uncompressed chunks. With the default of 16 kB, decompression is six times slower.
const chunkSize = 1 << 20
const packing = { level: 1, chunkSize }

const headerShape = z.object({
  chainstageState: z.number(),
  version: z.string(),
  chainId: z.string(),
  height: z.string(),
  bytes: z.number(),
  unpackedBytes: z.number().int().positive(),
  sha256: z.string(),
  history: z
    .array(z.object({ part: z.number().int().positive(), bytes: z.number().int().nonnegative() }))
    .readonly()
    .optional(),
})

const formatShape = headerShape.pick({ chainstageState: true, version: true })

/**
 * The header line. `version` is the chainstage version that wrote the file; `history` lists the
 * files that it refers to. In the file, the CRC-32 of these keys follows them as `sum`: a start
 * removes all old blocks that the header does not refer to.
 */
export type StateHeader = z.infer<typeof headerShape>

/**
 * Returns the bytes of a state file. The same inputs and the same Node version give the same bytes.
 */
export function stateBytes(simulation: Simulation): Buffer {
  return bytesOfState(resting(simulation))
}

/**
 * Returns the bytes of a state file that holds a simulation as plain data; `history` lists the
 * files that it refers to.
 */
export function bytesOfState(state: Resting, history?: readonly PartSize[]): Buffer {
  const plain = serialize(state)
  return fileOf(state, { plain, content: gzipSync(plain, packing), history })
}

/** As `bytesOfState`, but compresses beside the event loop. */
export async function bytesOfStateLater(state: Resting, history?: readonly PartSize[]): Promise<Buffer> {
  const plain = serialize(state)
  const content = await promisify<Buffer, ZlibOptions, Buffer>(gzip)(plain, packing)
  return fileOf(state, { plain, content, history })
}

type Parts = { readonly plain: Buffer; readonly content: Buffer; readonly history: readonly PartSize[] | undefined }

function fileOf({ simulation }: Resting, { plain, content, history }: Parts): Buffer {
  const { chain } = simulation.node
  const header: StateHeader = {
    chainstageState: stateFormat,
    version: packageVersion(),
    chainId: chain.genesis.chainId,
    height: String(chain.height),
    bytes: content.length,
    unpackedBytes: plain.length,
    sha256: sha256Hex(content),
    ...(history !== undefined && history.length > 0 && { history }),
  }
  return Buffer.concat([Buffer.from(`${headerText(header)}\n`), content])
}

function headerText(header: StateHeader): string {
  return JSON.stringify({ ...header, sum: crc32(JSON.stringify(header)) })
}

/** Returns the header of a state file. Throws `BadState`. */
export function stateHeader(bytes: Buffer): StateHeader {
  const end = bytes.indexOf('\n')
  const text = bytes.toString('utf8', 0, Math.max(end, 0))
  const content = parsedJson(text)
  const { data: written } = formatShape.safeParse(content)
  if (written === undefined) {
    throw new BadState('expected a state file of chainstage, with chainstageState in the first line')
  }
  if (written.chainstageState !== stateFormat) {
    throw new BadState(
      `expected format ${stateFormat}, received format ${written.chainstageState} of chainstage ${written.version}`,
    )
  }
  const { data: header } = headerShape.safeParse(content)
  if (header === undefined || headerText(header) !== text) {
    throw new BadState('the first line does not match its checksum: the file is damaged or was edited')
  }
  return header
}

/** The longest header in bytes. It lists all parts of the history; a terabyte has half a million bytes of them. */
const headerMost = 1 << 24

/** The size limits of decompression. A saved chain grows only a few times; a bomb grows more. */
const unpackedMost = { bytes: 256 * 1024 * 1024, timesPacked: 50 }

/**
 * Resolves with the header of a state file, or undefined if the file does not exist. Throws
 * `BadState`.
 */
export async function stateHeaderAt(path: string, disk = systemDisk): Promise<StateHeader | undefined> {
  return withPath(path, async () => {
    const start = await upToFirstLine(path, disk).catch(absentOrBad)
    return start === undefined ? undefined : stateHeader(start)
  })
}

/** Resolves with the start of a file, which contains its first line if that is not too long. */
async function upToFirstLine(path: string, disk: Disk): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of readChunks(disk, path, { from: 0, to: headerMost })) {
    chunks.push(chunk)
    if (chunk.includes('\n')) break
  }
  return Buffer.concat(chunks)
}

/**
 * Returns the simulation in a state file. `bytesAt` returns the bytes that the file refers to, or a
 * reference to them. Throws `BadState` if the file is truncated, damaged or in another format, and
 * `BrokenHistory`.
 */
export function simulationInFile(
  bytes: Buffer,
  bytesAt: (place: ChunkPlace) => HeldBytes['bytes'] = noHistory,
): Simulation {
  const header = stateHeader(bytes)
  const content = bytes.subarray(bytes.indexOf('\n') + 1)
  if (content.length !== header.bytes) {
    const how = content.length < header.bytes ? 'is truncated' : 'has more than what was saved'
    throw new BadState(
      `expected ${header.bytes} bytes after the first line, received ${content.length}: the file ${how}`,
    )
  }
  if (sha256Hex(content) !== header.sha256) {
    throw new BadState('the digest does not match: the file is damaged or was edited')
  }
  const bytesMost = Math.max(unpackedMost.bytes, unpackedMost.timesPacked * header.bytes)
  if (header.unpackedBytes > bytesMost) {
    throw new BadState(`expected at most ${bytesMost} unpacked bytes, received a file of ${header.unpackedBytes}`)
  }
  try {
    const plain = gunzipSync(content, { chunkSize, maxOutputLength: header.unpackedBytes })
    const state = deserialize(plain) as Resting
    if (header.history !== undefined) findHistory(state, bytesAt)
    return awoken(state)
  } catch (cause) {
    if (cause instanceof BrokenHistory) throw cause
    throw new BadState(`the content is not a saved chain (${thrownText(cause)})`, { cause })
  }
}

/** Replaces the places of old blocks and states, in place, by their bytes or references to them. */
function findHistory({ simulation }: Resting, bytesAt: (place: ChunkPlace) => HeldBytes['bytes']): void {
  for (const { history } of chainsOf(simulation)) {
    for (const held of heldIn(history)) {
      if (held.bytes instanceof Uint8Array || 'load' in held.bytes) continue
      held.bytes = bytesAt(held.bytes as ChunkPlace)
    }
  }
}

function noHistory(): never {
  throw new BadState('the file refers to a history in other files, and is nothing without them')
}

/** Writes a state file atomically. */
export async function writeState(path: string, simulation: Simulation): Promise<void> {
  await writeFileWhole(path, stateBytes(simulation))
}

/**
 * Resolves with the simulation in a file, or undefined if the file does not exist. Throws
 * `BadState`.
 */
export async function readState(path: string): Promise<Simulation | undefined> {
  return withPath(path, async () => {
    const bytes = await readFile(path).catch(absentOrBad)
    return bytes === undefined
      ? undefined
      : simulationInFile(bytes, (place) => readChunk(systemDisk, historyPathOf(path), place))
  })
}

/** Returns undefined for the error that a file does not exist. Throws `BadState` for any other. */
export function absentOrBad(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return
  if (error.code === 'EACCES' || error.code === 'EPERM') {
    const hint = 'Nothing has changed. Let this user read the file, or use another one.'
    throw new BadState(`permission denied (${error.code})`, { cause: error, hint })
  }
  const other = error.code === 'EISDIR' ? 'a folder' : error.code === 'ESPIPE' ? 'a pipe' : undefined
  throw new BadState(other === undefined ? error.message : `expected a file, received ${other}`, { cause: error })
}

/** Resolves with the result of `work`, and adds the path of the file to a `BadState` that it throws. */
export async function withPath<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof BadState ? new BadState(error.message, { path, cause: error, hint: error.hint }) : error
  }
}

/** Resolves with the simulation in a file. Throws `BadState`, also if the file does not exist. */
export async function stateAt(path: string): Promise<Simulation> {
  const saved = await readState(path)
  if (saved === undefined) throw new BadState('file not found', { path })
  return saved
}

const restoreHint = 'Nothing has changed. Restore a copy of the file, use another one, or start without one.'

type AboutState = { readonly path?: string; readonly cause?: unknown; readonly hint?: string | undefined }

/** A file is not a valid state file, or cannot be read. */
export class BadState extends SimError {
  constructor(message: string, { path, cause, hint = restoreHint }: AboutState = {}) {
    super('BAD_STATE', path === undefined ? message : `${path}: ${message}`, { cause, hint })
  }
}
