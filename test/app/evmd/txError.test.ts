import test from 'ava'
import { grpcStatusOf } from '../../../src/app/evmd/query/status.ts'
import { goError, sdkError, TxError } from '../../../src/app/evmd/txError.ts'

const told = test.macro((t, error: TxError, log: string, status: string) => {
  t.is(error.message, log)
  t.is(grpcStatusOf(error).message, status)
})

test('a bare error', told, sdkError('notFound'), 'not found', 'codespace sdk code 38: not found')
test(
  'texts around an error are told from the inside out, with their colons',
  told,
  sdkError('notFound', 'a: b').inside('c: d').inside('e'),
  'e: c: d: a: b: not found',
  'codespace sdk code 38: not found: a: b: c: d: e',
)
test(
  "a module's error",
  told,
  new TxError('7: inactive proposal', { code: 3, codespace: 'gov' }).inside('x'),
  'x: 7: inactive proposal',
  'codespace gov code 3: inactive proposal: 7: x',
)
test("an error of Go's has no code", told, goError('a: b').inside('c'), 'c: a: b', 'c: a: b')
