import test from 'ava'
import { patient } from '../../../src/shell/durable/patientRename.ts'

/** Returns a rename that fails with a code so many times, and how often it was called. */
function failing(code: string, times: number) {
  const calls: string[] = []
  const rename = async (from: string, to: string) => {
    calls.push(`${from} ${to}`)
    if (calls.length <= times) throw Object.assign(new Error(code), { code })
  }
  return { rename, calls }
}

const isAwaited = test.macro(async (t, code: string) => {
  const { rename, calls } = failing(code, 3)
  await patient(rename)('a', 'b')
  t.deepEqual(calls, Array(4).fill('a b'))
})
test('a file that another program has opened for a moment is renamed when it is closed: EPERM', isAwaited, 'EPERM')
test('so it is where the system says EACCES', isAwaited, 'EACCES')
test('and where it says EBUSY', isAwaited, 'EBUSY')

test('a file that stays open is given up after a second', async (t) => {
  const { rename, calls } = failing('EPERM', Infinity)
  await t.throwsAsync(patient(rename)('a', 'b'), { code: 'EPERM' })
  t.is(calls.length, 11)
})

test('other errors are thrown at once', async (t) => {
  const { rename, calls } = failing('ENOENT', Infinity)
  await t.throwsAsync(patient(rename)('a', 'b'), { code: 'ENOENT' })
  t.is(calls.length, 1)
})
