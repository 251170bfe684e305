/** Recordings in a file that is compressed with gzip. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import test from 'ava'
import type { SimError } from '../../../src/errors.ts'
import { loadLibrary } from '../../../src/shell/recordings/folderFiles.ts'
import { recordingText } from '../../../src/shell/recordingText.ts'
import { scratch } from '../../helpers/cli.ts'

function fileOf(bytes: Uint8Array | string): string {
  const path = join(scratch(), 'run.jsonl.gz')
  writeFileSync(path, bytes)
  return path
}

const text = '{"format":"tap/1"}\n'

test('a recording is read whether it is compressed or not', async (t) => {
  t.is(await recordingText(fileOf(gzipSync(text))), text)
  t.is(await recordingText(fileOf(text)), text)
})

test('a folder is no recorded run, and a recorded run no recording of a node', async (t) => {
  const folder = await t.throwsAsync<SimError>(recordingText(scratch()), {
    message: /expected a file, received a folder/,
  })
  t.regex(folder?.hint ?? '', /^If it is a recording of a node, play it back: chainstage run --playback /)
  const run = await t.throwsAsync<SimError>(loadLibrary('snapshots/erc20-transfer.jsonl'), {
    message: 'expected the recording of a node, received a recorded run of a scenario',
  })
  t.regex(run?.hint ?? '', /^Replay a run with chainstage replay FILE\./)
})

test('raw traffic that is compressed is played back', async (t) => {
  const { answers } = await loadLibrary(fileOf(gzipSync(text)))
  t.is(answers.size, 0)
})

test('the error for a compressed recording that is damaged names its file and the damage', async (t) => {
  const packed = gzipSync(text)
  const flipped = Uint8Array.from(packed, (byte, at) => (at === 14 ? byte ^ 0xff : byte))
  for (const bytes of [packed.subarray(0, -5), flipped, Uint8Array.of(0x1f, 0x8b)]) {
    const path = fileOf(bytes)
    for (const read of [recordingText, loadLibrary]) {
      const error = await t.throwsAsync(read(path), { code: 'INVALID_RECORDING' })
      t.true(error?.message.startsWith(`${path}: the file is compressed with gzip and damaged: `), error?.message)
    }
  }
})
