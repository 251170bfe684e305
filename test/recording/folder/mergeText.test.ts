import test from 'ava'
import { mergeText } from '../../../src/recording/folder/mergeText.ts'

const line = (to: string, v: string, n = 1) => `{"m":"eth_call","p":["${to}"],"v":[${v}],"n":${n}}\n`
const path = 'snap/eth/eth_call.jsonl'

test('lines that only one side has stand in order', (t) => {
  const { text, conflicts } = mergeText(path, {
    base: '',
    ours: line('0x02', '[0,9,"0x0"]'),
    theirs: line('0x01', '[0,9,"0x0"]'),
  })
  t.is(text, line('0x01', '[0,9,"0x0"]') + line('0x02', '[0,9,"0x0"]'))
  t.deepEqual(conflicts, [])
})

test('heights that do not overlap are one line', (t) => {
  const { text } = mergeText(path, {
    base: '',
    ours: line('0x01', '[5,9,"0x1"]'),
    theirs: line('0x01', '[10,12,"0x2"]'),
  })
  t.is(text, line('0x01', '[5,9,"0x1"],[10,12,"0x2"]', 2))
})

test('what both changed differently is a conflict with both', (t) => {
  const { text, conflicts } = mergeText(path, {
    base: '',
    ours: line('0x01', '[5,9,"0x1"]'),
    theirs: line('0x01', '[7,12,"0x2"]'),
  })
  t.is(conflicts.length, 1)
  t.regex(text, /<<<<<<< ours\n.*0x1.*\n=======\n.*0x2.*\n>>>>>>> theirs\n/)
})

test('a line that one side took out is gone', (t) => {
  const base = line('0x01', '[0,9,"0x0"]')
  t.is(mergeText(path, { base, ours: base, theirs: '' }).text, '')
})
