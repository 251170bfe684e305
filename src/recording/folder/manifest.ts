/** The manifest of a recording: its metadata and the digest of every other file. */
import { canonicalJson } from '../../data/canonicalJson.ts'
import { isJsonObject } from '../../data/members.ts'
import { sha256Hex } from '../../crypto/hash.ts'
import type { Library } from '../playback/library.ts'
import { BadRecording, type RecordingFiles } from './files.ts'

/** The version and level that a recording was made with. Only `recordedAt` is a time of day. */
export type RecordingOrigin = {
  readonly version: string
  readonly recordedAt: string
  readonly level: 0 | 1 | 2
}

export type Manifest = RecordingOrigin & {
  readonly format: 1
  readonly heights: readonly [number, number]
  readonly counts: {
    readonly exchanges: number
    readonly keys: number
    readonly streams: number
    readonly writes: number
  }
  /** SHA-256 by path; `''` for files merged from two branches whose folder is not sealed again. */
  readonly files: Readonly<Record<string, string>>
  readonly root: string
}

/** Returns the text of a manifest for files, with sorted members, one per line. */
export function manifestText(files: RecordingFiles, library: Library, origin: RecordingOrigin): string {
  const held = [...library.answers.keys()].map((key) => library.answers.get(key) ?? [])
  const digests = digestsOf(files)
  const manifest: Manifest = {
    ...origin,
    format: 1,
    heights: [library.heads[0]?.height ?? 0, library.heads.at(-1)?.height ?? 0],
    counts: {
      exchanges: held.flat().reduce((sum, one) => sum + one.count, 0),
      keys: held.length,
      streams: library.streams.size,
      writes: library.writes.length,
    },
    files: digests,
    root: '',
  }
  const sealed = { ...manifest, root: sealOf(manifest) }
  return `${JSON.stringify(JSON.parse(canonicalJson(sealed)), undefined, 2)}\n`
}

/** Returns the digests of the `.jsonl` files. Blobs are named by their digest and need no entry. */
function digestsOf(files: RecordingFiles): Readonly<Record<string, string>> {
  const paths = [...files.keys()].filter((path) => path.endsWith('.jsonl'))
  return Object.fromEntries(paths.toSorted().map((path) => [path, sha256Hex(files.get(path) ?? '')]))
}

/** Returns the digest over all file digests, the root of older recordings. */
function rootOf(digests: Manifest['files']): string {
  return sha256Hex(canonicalJson(digests))
}

/** Returns the digest over the whole manifest except the root itself. */
function sealOf(manifest: Manifest): string {
  return sha256Hex(canonicalJson({ ...manifest, root: '' }))
}

/** Returns the manifest of a recording. Throws `BadRecording` if it is missing or invalid. */
export function manifestOf(files: RecordingFiles): Manifest {
  const text = files.get('manifest.json')
  if (text === undefined) {
    throw new BadRecording('manifest.json', 'file not found: the folder is not a recording')
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new BadRecording('manifest.json', 'invalid JSON: the file is truncated or damaged', cause)
  }
  const format = typeof value === 'object' && value !== null && 'format' in value ? value.format : undefined
  if (format !== 1) {
    throw new BadRecording('manifest.json', `expected format 1, received ${String(format)}`)
  }
  const manifest = value as Manifest
  if (!isJsonObject(manifest.files) || typeof manifest.root !== 'string') {
    throw new BadRecording('manifest.json', 'it lists no files')
  }
  return manifest
}

/** Returns all defects that the digests reveal; the list is empty for a sound recording. */
export function breaksOf(files: RecordingFiles): readonly BadRecording[] {
  const manifest = manifestOf(files)
  const { files: digests, root } = manifest
  // A git merge leaves the root empty until the folder is sealed again.
  const isSealed = root !== ''
  const broken = Object.entries(digests).flatMap(([path, digest]) => {
    const text = files.get(path)
    if (text === undefined) {
      return [new BadRecording(path, 'the manifest lists this file, but it is missing')]
    }
    if (digest === '' || sha256Hex(text) === digest) return []
    return [new BadRecording(path, 'the digest does not match: the file was changed after recording')]
  })
  const blobs = [...files].flatMap(([path, text]) => {
    const digest = /^blobs\/..\/([0-9a-f]{64})\.json$/.exec(path)?.[1]
    if (digest === undefined || sha256Hex(text) === digest) return []
    return [new BadRecording(path, 'the digest does not match: the file was changed after recording')]
  })
  const isRoot = !isSealed || sealOf(manifest) === root || rootOf(digests) === root
  return [...broken, ...blobs, ...(isRoot ? [] : [new BadRecording('manifest.json', 'the root digest does not match')])]
}
