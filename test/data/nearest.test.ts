import test from 'ava'
import { nearest } from '../../src/data/nearest.ts'

const finds = test.macro((t, name: string, expected: string | undefined) => {
  t.is(nearest(name, ['steps', 'faults', 'clock', 'eth_getBalance']), expected)
})

test('one wrong letter is found', finds, 'stepps', 'steps')
test('case does not matter', finds, 'Clock', 'clock')
test('a longer name may be further off', finds, 'eth_getBalnace', 'eth_getBalance')
test('something else entirely has no nearest', finds, 'xylophone', undefined)
