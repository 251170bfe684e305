/** Files and folders in memory, and what a power failure leaves of them. */
import type { FileStats } from '../../src/shell/durable/disk.ts'
import type { Draw } from './randomTx.ts'

type Kind = 'file' | 'folder' | 'link'
type Entries = ReadonlyMap<string, Inode>
type Change<Value> = (before: Value) => Value

/** `synced` survives a power failure; of `changes` since then the first few do. */
export type Inode = {
  readonly kind: Kind
  mode: number
  mtimeMs: number
  content: Kept<Buffer>
  entries: Kept<Entries>
  /** A sync has failed: the system does not know any more that there is something to be written. */
  isForgotten: boolean
}
type Kept<Value> = { readonly synced: Value; readonly now: Value; readonly changes: readonly Change<Value>[] }

export const kept = <Value>(value: Value): Kept<Value> => ({ synced: value, now: value, changes: [] })
export const changed = <Value>(before: Kept<Value>, change: Change<Value>): Kept<Value> => ({
  ...before,
  now: change(before.now),
  changes: [...before.changes, change],
})

/** Returns an empty file, folder or link. */
export function inodeOf(kind: Kind, mode = 0o755): Inode {
  const [content, entries] = [kept<Buffer>(Buffer.alloc(0)), kept<Entries>(new Map())]
  return { kind, mode, mtimeMs: Date.now(), content, entries, isForgotten: false }
}

/** An id that no process has. */
const endedPid = 2 ** 30

/** Returns a content with a part of it written. */
export function withPart(before: Buffer, at: number, part: Buffer): Buffer {
  const after = Buffer.alloc(Math.max(before.length, at + part.length))
  before.copy(after)
  part.copy(after, at)
  return after
}

/** Returns what `lstat` says. */
export function statsOf({ kind, mode, mtimeMs }: Inode): FileStats {
  return {
    isFile: () => kind === 'file',
    isDirectory: () => kind === 'folder',
    isSymbolicLink: () => kind === 'link',
    mode,
    mtimeMs,
  }
}

/** Returns what a file or folder is after a power failure. */
export function survivor(inode: Inode, draw: Draw, known = new Map<Inode, Inode>()): Inode {
  const there = known.get(inode)
  if (there !== undefined) return there
  const { kind, mode } = inode
  const after: Inode = { ...inodeOf(kind, mode), mtimeMs: 0 }
  known.set(inode, after)
  const entries = survivingOf(inode.entries, draw)
  after.content = kept(withoutOwner(torn(inode.content, draw)))
  after.entries = kept<Entries>(
    new Map([...entries].map(([name, one]) => [afterOwner(name), survivor(one, draw, known)] as const)),
  )
  return after
}

function survivingOf<Value>({ synced, changes }: Kept<Value>, draw: Draw): Value {
  return changes.slice(0, draw(changes.length + 1)).reduce((before, change) => change(before), synced)
}

/** Of the last write that reached the disk a part may be missing, or have room but no content yet. */
function torn(content: Kept<Buffer>, draw: Draw): Buffer {
  const whole = survivingOf(content, draw)
  const added = whole.length - content.synced.length
  if (content.changes.length === 0 || added <= 0) return whole
  const sound = whole.length - draw(added + 1)
  const rest = Buffer.alloc(draw(2) === 0 ? 0 : whole.length - sound)
  return Buffer.concat([whole.subarray(0, sound), rest])
}

/** Gives all files that name this process as their writer to one that has ended. */
export function disown(inode: Inode): void {
  inode.mtimeMs = 0
  if (inode.kind === 'file') {
    const before = inode.content.now
    const after = withoutOwner(before)
    if (after !== before) inode.content = changed(inode.content, () => after)
  }
  for (const [name, one] of inode.entries.now) {
    disown(one)
    const next = afterOwner(name)
    if (next === name) continue
    inode.entries = changed(inode.entries, (before) => {
      const entries = new Map(before)
      if (entries.delete(name)) entries.set(next, one)
      return entries
    })
  }
}

/** The process that a lock names has ended. */
function withoutOwner(content: Buffer): Buffer {
  const own = `{"pid":${process.pid},`
  const isLock = content.subarray(0, own.length).toString() === own
  return isLock ? Buffer.from(content.toString().replace(own, `{"pid":${endedPid},`)) : content
}

/** The process that left a file beside another one has ended. */
function afterOwner(name: string): string {
  return name.replace(`.${process.pid}.`, `.${endedPid}.`)
}

/** Yields path and inode of every file. */
export function* filesIn(inode: Inode, path: string): Generator<readonly [string, Inode]> {
  for (const [name, one] of inode.entries.now) {
    if (one.kind === 'folder') yield* filesIn(one, `${path}/${name}`)
    else yield [`${path}/${name}`, one]
  }
}

/** Returns path and text of every file. */
export function filesBelow(inode: Inode, path: string): readonly (readonly [string, string])[] {
  return [...inode.entries.now].flatMap(([name, one]) =>
    one.kind === 'folder'
      ? filesBelow(one, `${path}/${name}`)
      : [[`${path}/${name}`, one.content.now.toString('latin1')] as const],
  )
}
