import test from 'ava'
import { withFault } from '../../src/scenario/insertFault.ts'
import { readSource } from '../../src/scenario/source.ts'

const rule = { match: { method: 'eth_*' }, effect: { latency: '200ms' } }

const inserts = test.macro((t, before: string, kept: RegExp) => {
  const text = withFault(before, 'slow-node', rule)
  t.regex(text, kept)
  const { value, problems } = readSource('s.json5', text)
  t.deepEqual(problems, [])
  t.deepEqual((value as { faults: Record<string, unknown> }).faults['slow-node'], rule)
  t.deepEqual(
    { ...(value as object), faults: undefined },
    { ...(readSource('s', before).value as object), faults: undefined },
  )
})

test('a scenario without faults gets some', inserts, "{ chainstage: 1, name: 's' }", /chainstage: 1/)
test('a comma that is missing is added', inserts, "{ name: 's', faults: { a: { effect: { hang: true } } } }", /hang/)
test('a comma that is there is not doubled', inserts, "{ name: 's', faults: { a: { effect: {} }, }, }", /a: /)
test(
  'comments stay',
  inserts,
  "{\n  // one, two\n  name: 's', /* three, */\n  faults: {}, // four\n}\n",
  /one, two[^]*three[^]*four/,
)
test(
  'a comment after the last fault hides no comma',
  inserts,
  '{ faults: { a: { effect: {} } // and, so\n } }',
  /and, so/,
)
test('an empty object gets some', inserts, '{}', /faults/)

const refuses = test.macro((t, before: string, message: RegExp) => {
  t.throws(() => withFault(before, 'slow', rule), { message })
})
test('a fault of the same name is refused', refuses, '{ faults: { slow: {} } }', /already has a fault "slow"/)
test('a module is refused', refuses, 'export default {}', /edit a module by hand/)
test('a list is refused', refuses, '[]', /it is not an object/)
