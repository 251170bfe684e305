/** Who is alive to a member, by when it heard from them. */
import test from 'ava'
import { createHearing } from '../../../src/shell/fleet/hearing.ts'

/** Returns the hearing of the member `me`, and a clock that is moved by hand. */
function hearingOfMe() {
  const clock = { ms: 1000 }
  return { clock, hearing: createHearing('me', () => clock.ms) }
}

test('silence after a pause of this process counts for nothing; a member that said so is gone', (t) => {
  const { clock, hearing } = hearingOfMe()
  for (const member of ['one', 'other']) hearing.heard(member, { '': 7 })
  t.deepEqual(hearing.alive(), ['me', 'one', 'other'])
  t.deepEqual(hearing.late(), [])
  t.is(hearing.announced('one', ''), 7)
  hearing.gone('other')
  t.false(hearing.isAlive('other'))
  // The process does not look at anything for longer than a lease lasts.
  clock.ms += 1700
  t.true(hearing.isAlive('one'))
  t.deepEqual(hearing.late(), ['one'])
  t.false(hearing.isAlive('other'))
  hearing.heard('other', {})
  t.true(hearing.isAlive('other'))
})

test('a member that is silent while this process looks loses its lease', (t) => {
  const { clock, hearing } = hearingOfMe()
  hearing.heard('one', {})
  const sinceMs = clock.ms
  while (hearing.isAlive('one') && clock.ms - sinceMs < 4000) clock.ms += 100
  t.is(clock.ms - sinceMs, 1600)
})
