/** Who is alive to a member, by when it heard from them. */
import { setTimeout as delay } from 'node:timers/promises'
import test from 'ava'
import { createHearing } from '../../../src/shell/fleet/hearing.ts'
import { keepBusy } from '../../helpers/keepBusy.ts'

test('silence after a pause of this process counts for nothing; a member that said so is gone', async (t) => {
  const hearing = createHearing('me')
  for (const member of ['one', 'other']) hearing.heard(member, { '': 7 })
  t.deepEqual(hearing.alive(), ['me', 'one', 'other'])
  t.deepEqual(hearing.late(), [])
  t.is(hearing.announced('one', ''), 7)
  hearing.gone('other')
  t.false(hearing.isAlive('other'))
  // The process does not look at anything for longer than a lease lasts.
  keepBusy(1700)
  t.true(hearing.isAlive('one'))
  t.deepEqual(hearing.late(), ['one'])
  t.false(hearing.isAlive('other'))
  hearing.heard('other', {})
  t.true(hearing.isAlive('other'))
})

test('a member that is silent while this process looks loses its lease', async (t) => {
  const hearing = createHearing('me')
  hearing.heard('one', {})
  const since = performance.now()
  while (hearing.isAlive('one') && performance.now() - since < 4000) await delay(20)
  const tookMs = performance.now() - since
  t.true(tookMs >= 1600 && tookMs < 4000, `${tookMs} ms`)
})
