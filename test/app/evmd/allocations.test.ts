/** What is allocated for calls, transactions and blocks, in bytes of the heap and without a clock. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import test from 'ava'

const program = fileURLToPath(new URL('../../helpers/allocations.js', import.meta.url))
/** In bytes, somewhat more than today: versions of V8 differ, and newer ones use more for a mined transaction. */
const isOldest = process.versions.node.startsWith('20.')
const most = { accepted: 88_000, mined: isOldest ? 87_000 : 106_000, emptyBlock: 345_000, read: 14_500 }

/** In megabytes: what the program allocates has room in it several times. */
const youngGeneration = 1024

type Each = { readonly accepted: number; readonly mined: number }
type Allocated = { readonly few: Each; readonly many: Each; readonly emptyBlock: number; readonly read: number }

test('what a transaction, a block and a call allocate has a limit and does not grow with their number', async (t) => {
  t.timeout(300_000)
  const flags = [`--min-semi-space-size=${youngGeneration}`, `--max-semi-space-size=${youngGeneration}`]
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, program])
  t.log(stdout)
  const { few, many, emptyBlock, read } = JSON.parse(stdout) as Allocated
  for (const each of [few.accepted, few.mined, many.accepted, many.mined, emptyBlock, read]) t.true(each > 0)
  t.true(many.accepted < most.accepted && many.mined < most.mined, 'a transaction')
  t.true(emptyBlock < most.emptyBlock, 'an empty block')
  t.true(read < most.read, 'a read')
  t.true(many.accepted < few.accepted * 1.3, 'accepted')
  t.true(many.mined < few.mined * 1.3, 'mined')
})
