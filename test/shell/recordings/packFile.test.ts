/** Packed files that somebody else made, and the files that reading them opens. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import test from 'ava'
import { sha256Hex } from '../../../src/crypto/hash.ts'
import { magic } from '../../../src/recording/pack/format.ts'
import { importTap } from '../../../src/recording/playback/importTap.ts'
import { loadPack, packBreaks, packOrigin, savePack } from '../../../src/shell/recordings/packFile.ts'
import { scratch } from '../../helpers/cli.ts'
import { createMemoryDisk } from '../../helpers/memoryDisk.ts'
import { drawFrom } from '../../helpers/randomTx.ts'

const nothing = importTap('{"format":"tap/1"}\n', () => [])
const origin = { version: '1', recordedAt: '2026-01-01T00:00:00Z', level: 0 } as const
const sound = {
  ...origin,
  format: 1,
  keyAlg: 1,
  chunks: [],
  keys: '',
  cometKeys: 0,
  spans: [],
  blobs: '',
  blobSpans: [],
  streams: [],
  order: [0, 0, 0],
  writes: [0, 0, 0],
}

const hex = (number: number) => number.toString(16).padStart(8, '0')

/** Returns a packed file without chunks, whose digest fits its index. */
function packOf(index: string, { at = magic.length, length }: { at?: number; length?: number } = {}): string {
  const path = join(scratch(), 'foreign.pack')
  const bytes = deflateRawSync(Buffer.from(index))
  const end = `${hex(at)}${hex(length ?? bytes.length)}${sha256Hex(index)}${magic}`
  writeFileSync(path, Buffer.concat([Buffer.from(magic), bytes, Buffer.from(end)]))
  return path
}

test('a packed file of another program is read', (t) => {
  const path = packOf(JSON.stringify(sound))
  t.is(loadPack(path).answers.size, 0)
  t.deepEqual(packOrigin(path), origin)
})

const chunk = { at: 0, length: 4, digest: '' }
const malformed: Readonly<Record<string, string>> = {
  'is not JSON': '{"format":1,',
  'is null': 'null',
  'has a format without a text': '{"format":{"toString":1,"valueOf":1}}',
  'has no members': '{"format":1,"keyAlg":1}',
  'lists no chunks': JSON.stringify({ ...sound, chunks: {} }),
  'lists a chunk at a negative position': JSON.stringify({ ...sound, chunks: [{ ...chunk, at: -1 }] }),
  'lists a chunk of a negative length': JSON.stringify({ ...sound, chunks: [{ ...chunk, length: -1 }] }),
  'lists no chunk but null': JSON.stringify({ ...sound, chunks: [null] }),
  'has a text as a span': JSON.stringify({ ...sound, order: 'abc' }),
  'has a stream without a span': JSON.stringify({ ...sound, streams: [{ key: 'eth a []' }] }),
}
for (const [what, index] of Object.entries(malformed)) {
  test(`a packed file whose index ${what} is not a recording`, (t) => {
    const path = packOf(index)
    t.throws(() => loadPack(path), { code: 'INVALID_RECORDING' })
    t.throws(() => packOrigin(path), { code: 'INVALID_RECORDING' })
    t.is(packBreaks(path).length, 1)
  })
}

test('positions beyond the end of a packed file are defects, whatever memory they ask for', (t) => {
  const index = packOf(JSON.stringify(sound), { length: 0xffffffff, at: 0xffffffff })
  t.throws(() => loadPack(index), { code: 'INVALID_RECORDING' })
  const chunks = [{ at: 16, length: Number.MAX_SAFE_INTEGER, digest: '' }]
  const path = packOf(JSON.stringify({ ...sound, chunks, order: [0, 0, 1] }))
  t.throws(() => loadPack(path), { code: 'INVALID_RECORDING' })
  t.regex(packBreaks(path).join(), /chunk 0 at byte 16/)
})

test('reading the origin or the defects of a packed file leaves no file open', async (t) => {
  const disk = createMemoryDisk(drawFrom(1))
  await savePack('/a.pack', nothing, origin, disk)
  const before = disk.handles()
  for (let count = 0; count < 5; count++) {
    t.deepEqual(packOrigin('/a.pack', disk), origin)
    t.deepEqual(packBreaks('/a.pack', disk), [])
  }
  t.is(disk.handles(), before)
})

/** Returns a packed file whose index refers to one line, in the place that `placed` returns. */
function packOfLine(line: string, placed: (span: readonly number[]) => object): string {
  const path = join(scratch(), 'line.pack')
  const chunk = deflateRawSync(Buffer.from(line))
  const chunks = [{ at: magic.length, length: chunk.length, digest: sha256Hex(line) }]
  const index = JSON.stringify({ ...sound, chunks, ...placed([0, 0, line.length]) })
  const bytes = deflateRawSync(Buffer.from(index))
  const end = `${hex(magic.length + chunk.length)}${hex(bytes.length)}${sha256Hex(index)}${magic}`
  writeFileSync(path, Buffer.concat([Buffer.from(magic), chunk, bytes, Buffer.from(end)]))
  return path
}

test('a line of a packed file that is not JSON is a defect of the recording, wherever it is', (t) => {
  const key = 'eth eth_chainId []'
  const keyed = (spans: readonly number[]) => ({ keys: sha256Hex(key).slice(0, 16), spans })
  const streamed = (span: readonly number[]) => ({ streams: [{ key, span }] })
  for (const line of ['{x:1}', '{"m":x}', '{"v":[[0,0,{"$b":x}]],"m":x}', '{"v":[[0,0,{"$e":{"message":x}}]],"m":x}']) {
    const { answers } = loadPack(packOfLine(line, keyed))
    if (line !== '{"m":x}') t.throws(() => answers.get(key), { code: 'INVALID_RECORDING' }, line)
    t.throws(() => [...answers.keys()], { code: 'INVALID_RECORDING' }, line)
  }
  for (const line of [
    '{x:1}',
    '{"m":"eth_chainId","p":[]}\n[0,0,{"$b":x}]',
    '{"m":"eth_chainId","p":[]}\n[0,0,{"$s":1}]',
  ]) {
    const { streams } = loadPack(packOfLine(line, streamed))
    t.throws(() => streams.get(key), { code: 'INVALID_RECORDING' }, line)
  }
  const path = packOfLine('[x,0,0,1]', (writes) => ({ writes }))
  t.throws(() => loadPack(path), { code: 'INVALID_RECORDING', message: /pack: cannot read the line \[x/ })
})
