import test from 'ava'
import { nearest } from '../../src/data/nearest.ts'

const finds = test.macro((t, name: string, expected: string | undefined) => {
  t.is(nearest(name, ['steps', 'faults', 'clock', 'eth_getBalance', 'crow']), expected)
})

test('one wrong letter is found', finds, 'stepps', 'steps')
test('case does not matter', finds, 'Clock', 'clock')
test('a longer name may be further off', finds, 'eth_getBalnace', 'eth_getBalance')
test('two letters in the wrong order are one mistake', finds, 'clcok', 'clock')
test('two letters of a short word may differ if the first is right', finds, 'clogs', 'clock')
test('half of a short word is too much', finds, 'drop', undefined)
test('something else entirely has no nearest', finds, 'xylophone', undefined)
