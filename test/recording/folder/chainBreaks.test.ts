/**
 * What a real node was recorded to have said fits together, and what was changed in it does not.
 */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { checkChain } from '../../../src/recording/folder/chainBreaks.ts'
import { importTap } from '../../../src/recording/playback/importTap.ts'
import type { Library } from '../../../src/recording/playback/library.ts'
import { cometNames } from '../../../src/shell/playback.ts'

const traffic = readFileSync(new URL('../../../../test/recording/traffic/explorer.jsonl', import.meta.url), 'utf8')
const library = importTap(traffic, cometNames)

/** The recording with one answer changed. */
function changed(start: string, change: (text: string) => string): Library {
  const answers = new Map(
    [...library.answers.keys()].map((key) => {
      const held = library.answers.get(key) ?? []
      return [
        key,
        held.map((one) =>
          key.startsWith(start) && one.answer.ok === true
            ? { ...one, answer: { ok: true as const, text: change(one.answer.text) } }
            : one,
        ),
      ]
    }),
  )
  return { ...library, answers }
}

test('every block, link and signature of a real node fits', (t) => {
  const { blocks, signatures, problems } = checkChain(library)
  t.deepEqual(problems, [])
  t.is(blocks, 20)
  t.is(signatures, 20)
})

const isFound = test.macro((t, start: string, change: (text: string) => string, expected: RegExp) => {
  const { problems } = checkChain(changed(start, change))
  t.true(
    problems.some((one) => expected.test(one)),
    problems.join('\n'),
  )
})

test(
  'a header that was changed is found',
  isFound,
  'comet block {"height":"9"}',
  (text) => text.replace('"chain_id":"9001"', '"chain_id":"9002"'),
  /block 9: the hash does not match the header/,
)
test(
  'a block that was put in is found by its links',
  isFound,
  'comet block {"height":"9"}',
  (text) => text.replace(/"block_id":\{"hash":"../, '"block_id":{"hash":"00'),
  /block 10: the parent is not block 9/,
)
test(
  'a transaction that was put in is found',
  isFound,
  'comet block {"height":"9"}',
  (text) => text.replace(/"txs":\[(?=(.))/, (found, next) => `${found}"AAAA"${next === ']' ? '' : ','}`),
  /block 9: the transactions do not match the header/,
)
test(
  'a signature that was changed is found',
  isFound,
  'comet commit {"height":"9"}',
  (text) => text.replace(/"signature":"./, (found) => `${found.slice(0, -1)}${found.endsWith('A') ? 'B' : 'A'}`),
  /commit 9: the signature of/,
)
