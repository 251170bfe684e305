/** Writes the chunks of `chunkPlace.ts`. Parts only grow, and are removed as a whole. */
import { constants } from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import type { StoredBytes } from '../../data/segments.ts'
import { thrownText } from '../../errors.ts'
import { cannotKeep } from '../durable/cannotWrite.ts'
import { type Disk, type DiskFile, systemDisk, writeAllNow } from '../durable/disk.ts'
import { makeFolder, syncFolder, unlessMeaningless } from '../durable/folders.ts'
import { isOfSystem } from '../durable/writeFile.ts'
import type { Sinks } from '../queue.ts'
import { BrokenHistory, type ChunkPlace, partPath, type PartSize, readChunk } from './chunkPlace.ts'

export type ChunkStore = {
  /**
   * Writes a chunk and returns a reference to it. Returns undefined if it cannot be written now:
   * the chunk then stays in memory.
   */
  readonly add: (bytes: Uint8Array) => StoredBytes | undefined
  /** Returns the reference to the chunk at a place. */
  readonly at: (place: ChunkPlace) => StoredBytes
  /** Returns the place of a chunk, or undefined for a chunk of another store. */
  readonly placeOf: (bytes: StoredBytes) => ChunkPlace | undefined
  /** Returns the parts with these numbers, and the part that grows. */
  readonly sizesOf: (parts: ReadonlySet<number>) => readonly PartSize[]
  /** Resolves when all chunks so far are on disk. Throws `CannotWrite`, also after an earlier failure. */
  readonly sync: () => Promise<void>
  /**
   * Tells the store which parts the newest snapshot on disk refers to. Removes older parts that
   * neither it nor the one before refers to.
   */
  readonly keepOnly: (parts: readonly PartSize[]) => Promise<void>
  readonly close: () => Promise<void>
  /** Closes the store and removes its folder. */
  readonly remove: () => Promise<void>
}

/** `isTorn` is set when bytes of a chunk that is not in use may follow those in use. */
type Part = { readonly file: DiskFile; readonly number: number; bytes: number; synced: number; isTorn: boolean }

export type ChunkStoreOptions = {
  readonly disk?: Disk
  /** The size from which on a new part is begun. */
  readonly partBytes?: number
  /** Logs that chunks cannot be written. */
  readonly say?: Sinks['log']
}

/**
 * Opens the store in a folder, with the parts that the snapshot refers to. Bytes and parts after
 * them, which no snapshot refers to, are removed. Throws `BrokenHistory` if a part is missing or
 * too short, and `CannotWrite`.
 */
export async function openChunkStore(
  folder: string,
  listed: readonly PartSize[],
  { disk = systemDisk, partBytes = 1 << 26, say = () => {} }: ChunkStoreOptions = {},
): Promise<ChunkStore> {
  const places = new WeakMap<StoredBytes, ChunkPlace>()
  const sizes = new Map(listed.map(({ part, bytes }) => [part, bytes]))
  let current = await continued(disk, folder, listed)
  let [isOpening, isClosed, isTold] = [false, false, false]
  let lost: unknown
  let before = new Set(sizes.keys())
  const unsynced = new Set<Part>()

  /** Opens a part for the next chunks, which stay in memory until then. */
  async function makeRoom(): Promise<void> {
    isOpening = true
    try {
      // Nothing refers to a part without chunks, so it is used again. A full disk gets no more parts.
      if (current?.bytes === 0) await emptied(current)
      else await begin((current?.number ?? Math.max(0, ...sizes.keys())) + 1)
    } catch (error) {
      tell(error)
    }
    isOpening = false
  }

  async function begin(number: number): Promise<void> {
    await makeFolder(folder, disk)
    // An earlier attempt may have created the folder and failed to sync its name.
    await syncFolder(dirname(folder), disk)
    const file = await created(disk, folder, number)
    const former = current
    current = { file, number, bytes: 0, synced: 0, isTorn: false }
    sizes.set(number, 0)
    if (former !== undefined && !unsynced.has(former)) await former.file.close()
  }

  /** Logs the first of several failures. */
  function tell(error: unknown): void {
    if (!isTold && !isClosed) say('warn', `old blocks stay in memory: ${thrownText(cannotKeep(folder, error))}`)
    isTold = true
  }

  function add(bytes: Uint8Array): StoredBytes | undefined {
    if (isClosed || isOpening) return undefined
    if (current === undefined || current.isTorn || current.bytes >= partBytes) {
      void makeRoom()
      return undefined
    }
    const place = { part: current.number, at: current.bytes, length: bytes.length, sum: crc32(bytes) }
    try {
      writeAllNow(current.file.fd, bytes, disk)
    } catch (error) {
      // A part of the bytes may be in the file, so the next ones would have another place.
      current.isTorn = true
      tell(error)
      return undefined
    }
    isTold = false
    current.bytes += bytes.length
    unsynced.add(current)
    sizes.set(current.number, current.bytes)
    return at(place)
  }

  function at(place: ChunkPlace): StoredBytes {
    const stored: StoredBytes = {
      load: () => readChunk(disk, folder, place),
      part: (inside) => readChunk(disk, folder, { ...inside, part: place.part, at: place.at + inside.at }),
    }
    places.set(stored, place)
    return stored
  }

  async function sync(): Promise<void> {
    if (lost !== undefined) throw lost
    for (const part of [...unsynced]) {
      const upTo = part.bytes
      try {
        await part.file.datasync().catch(unlessMeaningless)
      } catch (error) {
        // The system may have dropped what it could not write, so no later sync would find it.
        lost ??= isOfSystem(error) ? cannotKeep(partPath(folder, part.number), error) : error
        throw lost
      }
      if (part.bytes !== upTo) continue
      unsynced.delete(part)
      if (part !== current) await part.file.close()
    }
  }

  async function keepOnly(parts: readonly PartSize[]): Promise<void> {
    const referred = new Set(parts.map(({ part }) => part))
    const newest = Math.max(0, ...referred)
    for (const part of [...sizes.keys()]) {
      if (part >= newest || referred.has(part) || before.has(part)) continue
      sizes.delete(part)
      // A part that cannot be removed is removed by the next start.
      await disk.rm(partPath(folder, part), { force: true }).catch(() => {})
    }
    before = referred
  }

  async function close(): Promise<void> {
    const files = new Set([...unsynced, ...(current === undefined ? [] : [current])])
    unsynced.clear()
    current = undefined
    isClosed = true
    for (const { file } of files) await file.close()
  }

  return {
    add,
    at,
    placeOf: (bytes) => places.get(bytes),
    sizesOf: (parts) =>
      [...sizes].flatMap(([part, bytes]) => (parts.has(part) || part === current?.number ? [{ part, bytes }] : [])),
    sync,
    keepOnly,
    close,
    remove: async () => {
      await close()
      await disk.rm(folder, { force: true, recursive: true })
    },
  }
}

/** Removes what no snapshot refers to; resolves with the last part, open, or undefined. */
async function continued(disk: Disk, folder: string, listed: readonly PartSize[]): Promise<Part | undefined> {
  const names = await namesIn(disk, folder)
  const known = new Set(listed.map(({ part }) => partPath(folder, part)))
  let last: Part | undefined
  try {
    for (const name of names.filter((one) => /^\d{6}$/.test(one))) {
      const path = partPath(folder, Number(name))
      if (!known.has(path)) await disk.rm(path, { force: true }).catch((error) => refuse(path, error))
    }
    for (const { part, bytes } of listed) {
      await last?.file.close()
      last = undefined
      last = { file: await cut(disk, partPath(folder, part), bytes), number: part, bytes, synced: bytes, isTorn: false }
    }
  } catch (error) {
    await last?.file.close()
    throw isOfSystem(error) ? cannotKeep(folder, error) : error
  }
  return last
}

/** Resolves with the names in a history, none if it does not exist. Throws `BrokenHistory` and `CannotWrite`. */
export async function namesIn(disk: Disk, folder: string): Promise<readonly string[]> {
  return (await disk.readdir(folder).catch((error) => absentOrRefused(folder, error))) ?? []
}

function absentOrRefused(path: string, error: NodeJS.ErrnoException): undefined {
  return error.code === 'ENOENT' ? undefined : refuse(path, error)
}

const otherKinds: Readonly<Record<string, string>> = {
  ENOTDIR: 'expected a folder, found a file',
  EISDIR: 'expected a file, found a folder',
  ERR_FS_EISDIR: 'expected a file, found a folder',
  ELOOP: 'expected a file or folder, found a symbolic link',
}

/** Throws `BrokenHistory` if a path is of another kind than expected, otherwise `CannotWrite`. */
function refuse(path: string, error: NodeJS.ErrnoException): never {
  const reason = otherKinds[error.code ?? '']
  if (reason !== undefined) throw new BrokenHistory(path, reason, error)
  throw isOfSystem(error) ? cannotKeep(path, error) : error
}

/** Resolves with a new part when its name is on disk; leaves nothing behind if that fails. */
async function created(disk: Disk, folder: string, number: number): Promise<DiskFile> {
  const { O_RDWR, O_APPEND, O_CREAT, O_EXCL } = constants
  const path = partPath(folder, number)
  const file = await disk.open(path, O_RDWR | O_APPEND | O_CREAT | O_EXCL, 0o600)
  try {
    await syncFolder(folder, disk)
  } catch (error) {
    await file.close()
    await disk.rm(path, { force: true })
    throw error
  }
  return file
}

/** Removes what a failed write left in a part without chunks. */
async function emptied(part: Part): Promise<void> {
  await part.file.truncate(0)
  part.isTorn = false
}

/** Opens a part and removes the bytes after those in use. */
async function cut(disk: Disk, path: string, bytes: number): Promise<DiskFile> {
  const { O_RDWR, O_APPEND, O_NOFOLLOW = 0 } = constants
  const file = await disk.open(path, O_RDWR | O_APPEND | O_NOFOLLOW).catch((error) => absentOrRefused(path, error))
  if (file === undefined) throw new BrokenHistory(path, 'file not found')
  const { size } = await file.stat()
  if (size < bytes) {
    await file.close()
    throw new BrokenHistory(path, `expected at least ${bytes} bytes, found ${size}`)
  }
  if (size > bytes) {
    await file.truncate(bytes)
    await file.sync()
  }
  return file
}
