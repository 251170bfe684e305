import test from 'ava'
import { withoutCommonStart } from '../../src/simulation/observe.ts'

/** Returns a list that counts how often an item of it is read. */
function counted<Item>(list: readonly Item[], count: () => void): readonly Item[] {
  return new Proxy(list, {
    get: (target, name, receiver): unknown => {
      if (typeof name === 'string' && /^\d+$/.test(name)) count()
      return Reflect.get(target, name, receiver)
    },
  })
}

test('8,000 subscriptions, one after another, are compared by their ends alone', (t) => {
  let reads = 0
  const count = () => {
    reads += 1
  }
  let list: readonly object[] = []
  for (let index = 0; index < 8000; index++) {
    const [before, added] = [list, { index }]
    list = [...list, added]
    const [old, now] = [counted(before, count), counted(list, count)]
    if (withoutCommonStart(now, old)[0] !== added) t.fail(`subscription ${index} was not found`)
    if (withoutCommonStart(old, now).length > 0) t.fail(`subscription ${index} hides another one`)
  }
  t.true(reads <= 6 * 8000, `${reads} reads`)
})

test('a subscription that ends is found wherever it is', (t) => {
  const list = [1, 2, 3, 4].map((id) => ({ id }))
  t.deepEqual(withoutCommonStart(list, list.toSpliced(1, 1)), [{ id: 2 }])
  t.deepEqual(withoutCommonStart(list.toSpliced(1, 1), list), [])
})
