import test from 'ava'
import { editText, type Edit } from '../../../src/recording/folder/patches.ts'

const text = '{"a":{"wei":123456789012345678901234567890,"f":1.50},"list":[1,{"x":"y"}],"s/t":1}'
const edits = test.macro((t, edit: Edit, expected: string | undefined) => {
  t.is(editText(text, edit), expected)
})

test(
  'a value is replaced and every other digit stays',
  edits,
  {
    op: 'replace',
    path: '/a/f',
    value: 2,
  },
  '{"a":{"wei":123456789012345678901234567890,"f":2},"list":[1,{"x":"y"}],"s/t":1}',
)
test(
  'a member is added',
  edits,
  { op: 'add', path: '/a/n', value: null },
  '{"a":{"wei":123456789012345678901234567890,"f":1.50,"n":null},"list":[1,{"x":"y"}],"s/t":1}',
)
test('a member is taken out', edits, { op: 'remove', path: '/a' }, '{"list":[1,{"x":"y"}],"s/t":1}')
test(
  'an item is added at the end',
  edits,
  { op: 'add', path: '/list/-', value: 'z' },
  '{"a":{"wei":123456789012345678901234567890,"f":1.50},"list":[1,{"x":"y"},"z"],"s/t":1}',
)
test(
  'an item is taken out',
  edits,
  { op: 'remove', path: '/list/0' },
  '{"a":{"wei":123456789012345678901234567890,"f":1.50},"list":[{"x":"y"}],"s/t":1}',
)
test(
  'a name with a slash is escaped',
  edits,
  { op: 'replace', path: '/s~1t', value: 2 },
  '{"a":{"wei":123456789012345678901234567890,"f":1.50},"list":[1,{"x":"y"}],"s/t":2}',
)
test('the whole is replaced', edits, { op: 'replace', path: '', value: '0x1' }, '"0x1"')
for (const path of ['/b', '/a/b', '/list/2', '/list/x', '/a/f/g', 'a']) {
  test(`a place that is not there is told: ${path}`, edits, { op: 'replace', path, value: 1 }, undefined)
}
