import test from 'ava'
import { remembered } from '../../src/data/remembered.ts'

test('a result is made once for an object, and anew for an equal one', (t) => {
  let made = 0
  const count = remembered((bytes: Uint8Array) => [bytes.length, ++made])
  const bytes = Uint8Array.of(1, 2)
  t.is(count(bytes), count(bytes))
  t.deepEqual(count(Uint8Array.of(1, 2)), [2, 2])
})

test('what was used lately is kept, and what was used long ago is made again', (t) => {
  let made = 0
  const count = remembered((_: object) => ++made, 2)
  const [first, second, third] = [{}, {}, {}]
  t.deepEqual([first, second, third, second, third, first].map(count), [1, 2, 3, 2, 3, 4])
})

test('a failure is not kept', (t) => {
  let isGood = false
  const get = remembered((_: object) => {
    if (!isGood) throw new Error('not yet')
    return 1
  })
  const key = {}
  t.throws(() => get(key))
  isGood = true
  t.is(get(key), 1)
})
