import test from 'ava'
import { recentMap, remembered, rememberedBy } from '../../src/data/remembered.ts'

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

test('values that are used all the time stay, however many others come', (t) => {
  const map = recentMap<number, string>(10)
  map.set(-1, 'used')
  for (let other = 0; other < 100; other++) {
    map.set(other, 'other')
    t.is(map.get(-1), 'used')
  }
  t.is(map.get(0), undefined)
})

test('a full map keeps the half that was used last, and no more than its most', (t) => {
  const map = recentMap<number, number>(10)
  for (let key = 0; key < 25; key++) map.set(key, key)
  const kept = Array.from({ length: 25 }, (_, key) => key).filter((key) => map.get(key) !== undefined)
  t.true(kept.length >= 5 && kept.length <= 10)
  t.deepEqual(kept.slice(-5), [20, 21, 22, 23, 24])
})

test('a result is made once for equal keys', (t) => {
  let made = 0
  const count = rememberedBy(
    (bytes: Uint8Array) => bytes.join(),
    (_, key) => `${key} ${++made}`,
  )
  t.is(count(Uint8Array.of(1, 2)), '1,2 1')
  t.is(count(Uint8Array.of(1, 2)), '1,2 1')
  t.is(count(Uint8Array.of(2)), '2 2')
})
