import test from 'ava'
import { AssertionFailed, thrownInFull } from '../src/errors.ts'

const timesIn = (text: string, part: string) => text.split(part).length - 1

test('a bug is logged with its name, its message once, and its stack', (t) => {
  const text = thrownInFull(new AssertionFailed('a block has no parent'))
  t.is(timesIn(text, 'a block has no parent'), 1, text)
  t.regex(text, /^AssertionFailed: a block has no parent\n {4}at .*errors\.test/)
})

test('what is no error is logged as text', (t) => {
  t.is(thrownInFull('nothing'), 'nothing')
})
