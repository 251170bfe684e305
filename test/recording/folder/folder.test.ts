import { readFileSync } from 'node:fs'
import test from 'ava'
import { importTap } from '../../../src/recording/playback/importTap.ts'
import type { Library } from '../../../src/recording/playback/library.ts'
import { readFolder } from '../../../src/recording/folder/readFolder.ts'
import { writeFolder } from '../../../src/recording/folder/writeFolder.ts'
import { cometNames } from '../../../src/shell/playback.ts'

const traffic = readFileSync(new URL('../../../../test/recording/traffic/wallet.jsonl', import.meta.url), 'utf8')
const library = importTap(traffic, cometNames)
const origin = { version: '1', recordedAt: '2026-01-01T00:00:00Z', level: 0 } as const
const files = writeFolder(library, origin)

/** What a recording says, without how often each answer was seen. */
function said({ answers, ...rest }: Library): unknown {
  const lists = [...answers.keys()]
    .toSorted()
    .map((key) => [key, answers.get(key)?.map(({ since, answer }) => ({ since, answer }))])
  return { ...rest, streams: [...rest.streams].toSorted(), lists }
}

test('a folder says what the traffic said', (t) => {
  t.deepEqual(said(readFolder(files, cometNames)), said(library))
})

test('a transaction without an answer stays before the same one with an answer', (t) => {
  const at = (time: number, more: object) => JSON.stringify({ t: time, iface: 'b', ...more })
  const text = JSON.stringify({ id: 7, method: 'eth_sendRawTransaction', params: ['0x02aa'] })
  const lines = [
    JSON.stringify({ format: 'tap/1' }),
    at(100, { kind: 'ws-in', conn: 1, text }),
    at(150, { kind: 'ws-close', conn: 1 }),
    at(300, { kind: 'ws-in', conn: 2, text }),
    at(320, { kind: 'ws-out', conn: 2, text: JSON.stringify({ id: 7, result: '0xab' }) }),
  ]
  const sent = importTap(lines.join('\n'), cometNames)
  t.deepEqual(
    sent.writes.map(({ answer }) => answer.ok),
    [undefined, true],
  )
  t.deepEqual(readFolder(writeFolder(sent, origin), cometNames).writes, sent.writes)
})

test('a folder that was read is written with the same bytes', (t) => {
  t.deepEqual([...writeFolder(readFolder(files, cometNames), origin)], [...files])
})

test('each key has one line, in order', (t) => {
  for (const [path, text] of files) {
    if (!/^(?:eth|comet)\//.test(path)) continue
    const keys = text
      .trim()
      .split('\n')
      .map((line) => line.slice(0, line.indexOf(',"v":')))
    t.is(new Set(keys).size, keys.length)
  }
})

test('a large result is a file of its own, byte for byte', (t) => {
  const blobs = [...files.keys()].filter((path) => path.startsWith('blobs/'))
  t.true(blobs.length > 0)
  for (const path of blobs) t.true(traffic.includes(JSON.stringify(files.get(path)).slice(1, -1)))
})

const broken = test.macro((t, change: (files: Map<string, string>) => void, message: RegExp) => {
  const copy = new Map(files)
  change(copy)
  t.throws(() => readFolder(copy, cometNames), { code: 'INVALID_RECORDING', message })
})

const edit = (path: string, change: (text: string) => string) => (copy: Map<string, string>) => {
  copy.set(path, change(copy.get(path) ?? ''))
}
const balance = 'eth/eth_getBalance.jsonl'
const blob = [...files.keys()].find((path) => path.startsWith('blobs/')) ?? ''

test(
  'one flipped byte is found',
  broken,
  edit(balance, (text) => text.replace(/"n":\d/, '"n":0')),
  /^eth\/eth_getBalance/,
)
test(
  'a truncated file is found',
  broken,
  edit(balance, (text) => text.slice(0, -20)),
  /digest does not match/,
)
test(
  'a flipped byte of a blob is found',
  broken,
  edit(blob, (text) => text.replace('1', '2')),
  /^blobs\//,
)
test(
  'a missing blob is found',
  broken,
  (copy) => {
    copy.delete(blob)
  },
  /blob \w{64} is missing/,
)
test(
  'a missing file is found',
  broken,
  (copy) => {
    copy.delete(balance)
  },
  /lists this file, but it is missing/,
)
test(
  'another format is refused',
  broken,
  edit('manifest.json', (text) => text.replace('"format": 1', '"format": 2')),
  /expected format 1/,
)
test(
  'a manifest that is cut off is refused',
  broken,
  edit('manifest.json', (text) => text.slice(0, 50)),
  /truncated/,
)
test(
  'a changed digest of all digests is found',
  broken,
  edit('manifest.json', (text) => text.replace(/"root": "./, '"root": "x')),
  /root digest/,
)
test(
  'a manifest without a list of files is refused',
  broken,
  edit('manifest.json', () => '{"format":1,"files":null,"root":""}'),
  /lists no files/,
)
