/**
 * A whole node in a file: a header line in JSON, then the compressed simulation. A simulation is
 * plain data with shared parts, so V8's serialization format can represent it. The digest detects
 * damage.
 */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { deserialize, serialize } from 'node:v8'
import { promisify } from 'node:util'
import { gunzipSync, gzip, gzipSync, type ZlibOptions } from 'node:zlib'
import { z } from 'zod'
import { SimError, thrownText } from '../errors.ts'
import { awoken, packed, resting, type Resting } from '../simulation/resume.ts'
import { systemDisk } from './durable/disk.ts'
import { writeFileWhole } from './durable/writeFile.ts'
import { packageVersion } from './packageFiles.ts'
import type { Simulation } from '../simulation/turn.ts'

const stateFormat = 5

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
})

/** The header line; `version` is the chainstage version that wrote the file. */
export type StateHeader = z.infer<typeof headerShape>

/**
 * Returns the bytes of a state file. The same inputs and the same Node version give the same bytes.
 */
export function stateBytes(simulation: Simulation): Buffer {
  return bytesOfState(resting(simulation))
}

/** Returns the bytes of a state file that holds a simulation as plain data. */
export function bytesOfState(state: Resting): Buffer {
  const plain = serialize(state)
  return fileOf(state, plain, gzipSync(plain, packing))
}

/**
 * Resolves with the bytes of a state file that holds a simulation including its connections. Most
 * of the work happens outside the event loop.
 */
export async function wholeBytesLater(simulation: Simulation): Promise<Buffer> {
  const state = packed(simulation)
  const plain = serialize(state)
  return fileOf(state, plain, await promisify<Buffer, ZlibOptions, Buffer>(gzip)(plain, packing))
}

function fileOf({ simulation }: Resting, plain: Buffer, content: Buffer): Buffer {
  const { chain } = simulation.node
  const header: StateHeader = {
    chainstageState: stateFormat,
    version: packageVersion(),
    chainId: chain.genesis.chainId,
    height: String(chain.height),
    bytes: content.length,
    unpackedBytes: plain.length,
    sha256: sha256Of(content),
  }
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), content])
}

/** Returns the header of a state file. Throws `BadState`. */
export function stateHeader(bytes: Buffer): StateHeader {
  const end = bytes.indexOf('\n')
  const header = headerShape.safeParse(end < 0 ? undefined : parsed(bytes.toString('utf8', 0, end)))
  if (!header.success) throw new BadState('expected a state file of chainstage, with chainstageState in the first line')
  if (header.data.chainstageState !== stateFormat) {
    throw new BadState(
      `expected format ${stateFormat}, received format ${header.data.chainstageState} of chainstage ${header.data.version}`,
    )
  }
  return header.data
}

const headerMost = 4096

/** The size limits of decompression. A saved chain grows only a few times; a bomb grows more. */
const unpackedMost = { bytes: 256 * 1024 * 1024, timesPacked: 50 }

/**
 * Resolves with the header of a state file, or undefined if the file does not exist. Throws
 * `BadState`.
 */
export async function stateHeaderAt(path: string, disk = systemDisk): Promise<StateHeader | undefined> {
  return withPath(path, async () => {
    const file = await disk.open(path, constants.O_RDONLY).catch(absentOrBad)
    if (file === undefined) return undefined
    try {
      const start = Buffer.alloc(headerMost)
      const { bytesRead } = await file.read(start, 0, headerMost, 0)
      return stateHeader(start.subarray(0, bytesRead))
    } finally {
      await file.close()
    }
  })
}

/**
 * Returns the simulation in a state file. Throws `BadState` if the file is truncated, damaged or in
 * another format.
 */
export function stateOf(bytes: Buffer): Simulation {
  const header = stateHeader(bytes)
  const content = bytes.subarray(bytes.indexOf('\n') + 1)
  if (content.length !== header.bytes) {
    throw new BadState(
      `expected ${header.bytes} bytes after the first line, received ${content.length}: the file is truncated`,
    )
  }
  if (sha256Of(content) !== header.sha256) {
    throw new BadState('the digest does not match: the file is damaged or was edited')
  }
  const bytesMost = Math.max(unpackedMost.bytes, unpackedMost.timesPacked * header.bytes)
  if (header.unpackedBytes > bytesMost) {
    throw new BadState(`expected at most ${bytesMost} unpacked bytes, received a file of ${header.unpackedBytes}`)
  }
  try {
    const plain = gunzipSync(content, { chunkSize, maxOutputLength: header.unpackedBytes })
    return awoken(deserialize(plain) as Resting)
  } catch (cause) {
    throw new BadState(`the content is not a saved chain (${thrownText(cause)})`, { cause })
  }
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
    return bytes === undefined ? undefined : stateOf(bytes)
  })
}

function absentOrBad(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw new BadState(error.message, { cause: error })
}

/** Adds the path of the file to errors that `work` throws. */
async function withPath<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof BadState ? new BadState(error.message, { path, cause: error }) : error
  }
}

/** Resolves with the simulation in a file. Throws `BadState`, also if the file does not exist. */
export async function stateAt(path: string): Promise<Simulation> {
  const saved = await readState(path)
  if (saved === undefined) throw new BadState('file not found', { path })
  return saved
}

function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A file is not a valid state file. */
export class BadState extends SimError {
  constructor(message: string, { path, cause }: { path?: string; cause?: unknown } = {}) {
    super('BAD_STATE', path === undefined ? message : `${path}: ${message}`, {
      cause,
      hint: 'Nothing has changed. Use another file, or start without one.',
    })
  }
}
