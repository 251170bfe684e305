import test from 'ava'
import { boundedCache } from '../../src/data/boundedCache.ts'

test('what was used last stays, and no more than the weight', (t) => {
  const cache = boundedCache<string>(10, (text) => text.length)
  cache.set('a', 'aaaa')
  cache.set('b', 'bbbb')
  t.is(cache.get('a'), 'aaaa')
  cache.set('c', 'cccc')
  t.is(cache.get('b'), undefined)
  t.is(cache.get('a'), 'aaaa')
  t.is(cache.get('c'), 'cccc')
})

test('a value that is too heavy alone is kept until the next one', (t) => {
  const cache = boundedCache<string>(3, (text) => text.length)
  cache.set('a', 'aaaaa')
  t.is(cache.get('a'), 'aaaaa')
  cache.set('b', 'b')
  t.is(cache.get('a'), undefined)
  t.is(cache.get('b'), 'b')
})

test('a value that is set again weighs once', (t) => {
  const cache = boundedCache<string>(4, (text) => text.length)
  cache.set('a', 'aa')
  cache.set('a', 'aa')
  cache.set('b', 'bb')
  t.is(cache.get('a'), 'aa')
})
