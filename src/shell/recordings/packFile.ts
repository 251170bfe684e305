/**
 * A packed recording on disk. Its layout: magic, chunks, index, trailer. The trailer has the offset
 * and length of the index as 8 hex digits each, its SHA-256 in hex, and the magic.
 */
import { constants } from 'node:fs'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { plainHexOf } from '../../codec/hex.ts'
import { sha256, sha256Hex } from '../../crypto/hash.ts'
import { thrownText } from '../../errors.ts'
import { BadRecording } from '../../recording/folder/files.ts'
import type { RecordingOrigin } from '../../recording/folder/manifest.ts'
import { isPackIndex, magic, type PackIndex } from '../../recording/pack/format.ts'
import { readPack } from '../../recording/pack/readPack.ts'
import { writePack } from '../../recording/pack/writePack.ts'
import type { Library } from '../../recording/playback/library.ts'
import { systemDisk, writeAllNow, type Disk } from '../durable/disk.ts'
import { replaceFile } from '../durable/writeFile.ts'
import { cometNames } from '../playback.ts'

/** Maximum number of unpacked chunks in memory. */
const mostOpen = 16

/**
 * Size in bytes of the buffer that a chunk is unpacked into, if it fits. Small buffers are
 * garbage-collected early.
 */
const bufferBytes = 40 * 1024

/**
 * Maximum size of an unpacked chunk. A chunk is closed at 32 kB, so only a single long answer makes
 * it larger.
 */
const unpackedBytesMost = 256 * 1024 * 1024
const trailerSize = 16 + 64 + magic.length

/**
 * Writes a recording as one file, which replaces an existing one only when complete. Throws
 * `CannotWrite`; the old file is then unchanged.
 */
export async function savePack(
  path: string,
  library: Library,
  origin: RecordingOrigin,
  disk = systemDisk,
): Promise<void> {
  await replaceFile(path, ({ fd }) => writePackTo((bytes) => writeAllNow(fd, bytes, disk), library, origin), disk)
}

function writePackTo(write: (bytes: Buffer) => void, library: Library, origin: RecordingOrigin): void {
  let at = 0
  const append = (bytes: Buffer) => {
    const place = { at, length: bytes.length }
    write(bytes)
    at += bytes.length
    return place
  }
  append(Buffer.from(magic))
  const index = JSON.stringify(writePack(library, origin, (text) => append(deflateRawSync(Buffer.from(text)))))
  const { at: indexAt, length } = append(deflateRawSync(Buffer.from(index)))
  const numbers = `${indexAt.toString(16).padStart(8, '0')}${length.toString(16).padStart(8, '0')}`
  append(Buffer.from(`${numbers}${sha256Hex(index)}${magic}`))
}

/** Returns a packed recording; only its index is read at once. Throws `BadRecording`. */
export function loadPack(path: string, disk = systemDisk): Library {
  const { index, load, close } = openPack(path, disk)
  try {
    return readPack(index, load, cometNames)
  } catch (error) {
    close()
    throw error
  }
}

/** Returns the origin of a packed recording. Throws `BadRecording`. */
export function packOrigin(path: string, disk = systemDisk): RecordingOrigin {
  const { index, close } = openPack(path, disk)
  close()
  const { version, recordedAt, level } = index
  return { version, recordedAt, level }
}

/** Returns all defects of a packed file. */
export function packBreaks(path: string, disk = systemDisk): readonly string[] {
  let opened: Opened
  try {
    opened = openPack(path, disk)
  } catch (error) {
    return [thrownText(error)]
  }
  const { index, load, close } = opened
  const breaks = index.chunks.flatMap((_, number) => {
    try {
      load(number)
      return []
    } catch (error) {
      return [thrownText(error)]
    }
  })
  close()
  return breaks
}

/** Returns whether a file starts with the magic of a packed recording. */
export function isPack(path: string): boolean {
  const { now } = systemDisk
  const fd = now.open(path, constants.O_RDONLY)
  try {
    return bytesAt({ path, fd, disk: { now } }, 0, magic.length).toString('latin1') === magic
  } finally {
    now.close(fd)
  }
}

/** An open file. */
type Source = { readonly path: string; readonly fd: number; readonly disk: Pick<Disk, 'now'> }

/** An open packed recording; its file stays open until `close`. */
type Opened = {
  readonly index: PackIndex
  readonly load: (chunk: number) => string
  readonly close: () => void
}

function openPack(path: string, disk: Disk): Opened {
  const source = { path, fd: disk.now.open(path, constants.O_RDONLY), disk }
  const index = indexOrClosed(source)
  const open = new Map<number, string>()
  const sound = new Set<number>()
  return {
    index,
    load: (number) => {
      const known = open.get(number)
      const text = known ?? chunkText(source, { index, number, isSound: sound.has(number) })
      sound.add(number)
      open.delete(number)
      open.set(number, text)
      const [oldest] = open.keys()
      if (open.size > mostOpen && oldest !== undefined) open.delete(oldest)
      return text
    },
    close: () => {
      disk.now.close(source.fd)
    },
  }
}

/** Returns the index, or closes the file if the index is damaged. */
function indexOrClosed(source: Source): PackIndex {
  try {
    return indexOf(source)
  } catch (error) {
    source.disk.now.close(source.fd)
    throw error
  }
}

function indexOf(source: Source): PackIndex {
  const { path, fd, disk } = source
  const size = disk.now.size(fd)
  const trailer = bytesAt(source, Math.max(0, size - trailerSize), Math.min(size, trailerSize)).toString('latin1')
  const found = /^([0-9a-f]{8})([0-9a-f]{8})([0-9a-f]{64})/.exec(trailer)
  if (found === null || !trailer.endsWith(magic)) {
    throw new BadRecording(path, 'the end of the file is missing: it is truncated')
  }
  const [, at = '', length = '', digest = ''] = found
  const text = inflated(path, bytesAt(source, Number.parseInt(at, 16), Number.parseInt(length, 16)), {
    what: 'the index',
    digest,
  })
  const index = parsed(path, text)
  const { format, keyAlg } = (index ?? {}) as Partial<Record<keyof PackIndex, unknown>>
  if (format !== 1) {
    throw new BadRecording(path, `expected format 1, received ${JSON.stringify(format)}`)
  }
  if (keyAlg !== 1)
    throw new BadRecording(
      path,
      `expected keys of version 1, received version ${JSON.stringify(keyAlg)}: pack the folder again`,
    )
  if (!isPackIndex(index)) throw new BadRecording(path, 'the index lacks a member, or has one of another type')
  return index
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new BadRecording(path, 'the index is not valid JSON', cause)
  }
}

/** A chunk to read; `isSound` means that its digest was verified before. */
type Wanted = { readonly index: PackIndex; readonly number: number; readonly isSound: boolean }

function chunkText(source: Source, { index, number, isSound }: Wanted): string {
  const { path } = source
  const chunk = index.chunks[number]
  if (chunk === undefined) throw new BadRecording(path, `chunk ${number} is missing`)
  return inflated(path, bytesAt(source, chunk.at, chunk.length), {
    what: `chunk ${number} at byte ${chunk.at}`,
    digest: isSound ? undefined : chunk.digest,
  })
}

function inflated(path: string, bytes: Buffer, { what, digest }: { what: string; digest: string | undefined }): string {
  let plain: Buffer
  try {
    plain = inflateRawSync(bytes, { chunkSize: bufferBytes, maxOutputLength: unpackedBytesMost })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new BadRecording(path, `${what} unpacks to more than ${unpackedBytesMost} bytes`, cause)
    }
    throw new BadRecording(path, `${what} cannot be unpacked: it is damaged`, cause)
  }
  if (digest !== undefined && plainHexOf(sha256(plain)) !== digest) {
    throw new BadRecording(path, `${what} was changed after recording: the digest does not match`)
  }
  return plain.toString('utf8')
}

/** Returns the bytes at a position; fewer if the file ends before. */
function bytesAt({ fd, disk }: Source, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, Math.min(length, disk.now.size(fd) - at)))
  return bytes.subarray(0, disk.now.read(fd, bytes, at))
}
