/**
 * A whole node in a file: a line of JSON that says what it is, then its value, packed. A simulation
 * is plain data that shares its parts, so V8's own form holds it; the digest finds what was
 * damaged.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { deserialize, serialize } from 'node:v8'
import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { SimError } from '../errors.ts'
import type { Simulation } from '../simulation.ts'
import { awoken, resting, type Resting } from '../simulation/resume.ts'
import { packageVersion } from './packageFiles.ts'
import { writeWhole } from './writeWhole.ts'

const stateFormat = 2

// Of the unpacked bytes at a time: with the default of 16 kB unpacking takes six times as long.
const chunkSize = 1 << 20

const headerShape = z.object({
  chainstageState: z.number(), version: z.string(), chainId: z.string(), height: z.string(),
  bytes: z.number(), sha256: z.string(),
})

/** What the first line says; `version` is that of the chainstage that wrote it. */
export type StateHeader = z.infer<typeof headerShape>

/**
 * Returns the bytes of a state file: the same after the same inputs to a process of the same Node
 * version.
 */
export function stateBytes(simulation: Simulation): Buffer {
  const packed = gzipSync(serialize(resting(simulation)), { level: 1, chunkSize })
  const { chain } = simulation.node
  const header: StateHeader = {
    chainstageState: stateFormat, version: packageVersion(), chainId: chain.genesis.chainId,
    height: String(chain.height), bytes: packed.length, sha256: sha256Of(packed),
  }
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), packed])
}

/** Returns what the first line of a state file says. Throws `BadState`. */
export function stateHeader(bytes: Buffer): StateHeader {
  const end = bytes.indexOf('\n')
  const header = headerShape.safeParse(end < 0 ? undefined : parsed(bytes.toString('utf8', 0, end)))
  if (!header.success) throw new BadState(
    'expected a file that chainstage saved, whose first line has chainstageState'
  )
  if (header.data.chainstageState !== stateFormat) {
    throw new BadState(`expected format ${stateFormat}, received format ${header.data.chainstageState} of chainstage ${header.data.version}`)
  }
  return header.data
}

/**
 * Returns the simulation of a state file. Throws `BadState` when it is cut short, damaged or of
 * another format.
 */
export function stateOf(bytes: Buffer): Simulation {
  const header = stateHeader(bytes)
  const packed = bytes.subarray(bytes.indexOf('\n') + 1)
  if (packed.length !== header.bytes) {
    throw new BadState(`expected ${header.bytes} bytes after the first line, received ${packed.length}: it was cut short`)
  }
  if (sha256Of(packed) !== header.sha256) {
    throw new BadState('its digest is another one: it was damaged or edited')
  }
  return awoken(deserialize(gunzipSync(packed, { chunkSize })) as Resting)
}

/** Writes a state file whole or not at all. */
export async function writeState(path: string, simulation: Simulation): Promise<void> {
  await writeWhole(path, stateBytes(simulation))
}

/**
 * Resolves with the simulation of a file, or undefined when there is no such file. Throws
 * `BadState`.
 */
export async function readState(path: string): Promise<Simulation | undefined> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new BadState(error.message, { path, cause: error })
  })
  try {
    return bytes === undefined ? undefined : stateOf(bytes)
  } catch (error) {
    throw error instanceof BadState ? new BadState(error.message, { path, cause: error }) : error
  }
}

/** Resolves with the simulation of a file that must be there. Throws `BadState`. */
export async function stateAt(path: string): Promise<Simulation> {
  const saved = await readState(path)
  if (saved === undefined) throw new BadState('there is no such file', { path })
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

/** A file that holds no state of ours. */
export class BadState extends SimError {
  constructor(message: string, { path, cause }: { path?: string; cause?: unknown } = {}) {
    super('BAD_STATE', path === undefined ? message : `${path}: ${message}`, {
      cause, hint: 'Nothing has changed. Take another file, or start without one.',
    })
  }
}
