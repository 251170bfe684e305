/** The bytes of calls while they come: what is held of them, and how much at most. */
import test from 'ava'
import { createBudget } from '../../../src/shell/grpc/budget.ts'
import { createIncoming } from '../../../src/shell/grpc/incoming.ts'

const most = 1000
const frame = (text: string) => Buffer.concat([Buffer.of(0, 0, 0, 0, text.length), Buffer.from(text)])

test('messages come out whole, however their bytes come', (t) => {
  const bytes = Buffer.concat([frame('one'), frame(''), frame('three')])
  for (let size = 1; size <= bytes.length; size += 1) {
    const incoming = createIncoming(createBudget(most))
    const found: string[] = []
    for (let at = 0; at < bytes.length; at += size) {
      t.true(incoming.add(bytes.subarray(at, at + size)))
      for (let next = incoming.next(most); next !== undefined; next = incoming.next(most)) found.push(String(next))
    }
    t.deepEqual(found, [frame('one'), frame(''), frame('three')].map(String), `${size} bytes at a time`)
    t.true(incoming.isEmpty())
  }
})

test('of a message that is too long only the head is taken', (t) => {
  const incoming = createIncoming(createBudget(most))
  incoming.add(frame('longer than six'))
  t.is(incoming.next(6)?.length, 5)
})

test('calls share a budget, and give back what they held', (t) => {
  const all = createBudget(10)
  const [one, other] = [createIncoming(createBudget(8, all)), createIncoming(createBudget(8, all))]
  t.true(one.add(Buffer.alloc(7)))
  t.false(one.add(Buffer.alloc(2)), 'more than the connection may hold')
  t.false(other.add(Buffer.alloc(4)), 'more than all may hold')
  one.drop()
  t.true(other.add(Buffer.alloc(8)))
  t.is(other.rest().length, 8)
  t.true(one.add(Buffer.alloc(8)))
})
