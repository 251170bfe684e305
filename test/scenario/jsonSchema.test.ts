import { readdirSync, readFileSync } from 'node:fs'
import json5 from 'json5'
import test from 'ava'
import { z } from 'zod'
import { compileScenario } from '../../src/scenario/compile.ts'
import { scenarioJsonSchema } from '../../src/scenario/jsonSchema.ts'
import { describeKeys, examplesIn, keyDescriptions } from '../../src/scenario/keys/describeKeys.ts'

const schema = z.fromJSONSchema(scenarioJsonSchema() as Parameters<typeof z.fromJSONSchema>[0])
const folder = new URL('../../../scenarios/', import.meta.url)

for (const name of readdirSync(folder).filter((file) => file.endsWith('.json5') && !file.startsWith('_'))) {
  test(`editors find nothing wrong with ${name}`, (t) => {
    const { success, error } = schema.safeParse(json5.parse(readFileSync(new URL(name, folder), 'utf8')))
    t.true(success, JSON.stringify(error?.issues.slice(0, 3)))
  })
}

const head =
  "chainstage: 1, name: 'x', vars: { n: 3, t: '2s', on: true, side: 'eth', at: '0x0000000000000000000000000000000000000001' }"
const both = test.macro((t, rest: string) => {
  const text = `{ ${head}, ${rest} }`
  t.notThrows(() => compileScenario(new Map([['s.json5', text]]), 's.json5'))
  t.true(schema.safeParse(json5.parse(text)).success)
})

test('an expression for an integer', both, "steps: [{ do: { mine: '${vars.n}' } }]")
test('an expression for a duration', both, "steps: [{ when: { after: '${vars.t}' } }]")
test(
  'an expression for one of several words',
  both,
  "faults: { f: { match: { iface: '${vars.side}' }, effect: { hang: true } } }",
)
test('an expression for a truth', both, "clock: { lazy: '${vars.on}' }")
test(
  'an expression for an address',
  both,
  "steps: [{ do: { setBalance: { address: '${vars.at}', amount: '1 evm' } } }]",
)
test(
  'a name for an address',
  both,
  "fixtures: { accounts: { alice: {} } }, steps: [{ expect: { balance: { address: '@alice', min: '1 wei' } } }]",
)
test('an expression as a condition', both, "steps: [{ if: 'vars.n > 2', do: { mine: 1 } }]")
test('an expression for an effect that is only on or off', both, "faults: { f: { effect: { hang: '${vars.on}' } } }")

const neither = test.macro((t, rest: string) => {
  const text = `{ ${head}, ${rest} }`
  t.throws(() => compileScenario(new Map([['s.json5', text]]), 's.json5'))
  t.false(schema.safeParse(json5.parse(text)).success)
})
test('a text where an integer belongs', neither, "steps: [{ do: { mine: 'three' } }]")
test('an unknown key', neither, 'stepps: []')
test('an unknown word', neither, "chain: { profile: 'lokal' }")
test('an expression for the version of the format', neither, "run: {}, chainstage: '${vars.n}'")

test('every key is described, and every description belongs to a key', (t) => {
  const bare: string[] = []
  const properties = JSON.stringify(scenarioJsonSchema(), (_name, value: unknown) => {
    const keys = (value as { properties?: Record<string, { description?: string }> } | null)?.properties ?? {}
    for (const [key, one] of Object.entries(keys)) if (!/^\S.*\.$/s.test(one.description ?? '')) bare.push(key)
    return value
  })
  t.true(properties.length > 10_000)
  t.deepEqual([...new Set(bare)], [])
  const used = describeKeys(scenarioJsonSchema())
  t.deepEqual(
    Object.keys(keyDescriptions).filter((key) => !used.has(key)),
    [],
  )
})

type Property = { readonly path: string; readonly schema: Record<string, unknown> }

/** Returns every property of a JSON Schema, each with the key above it. */
function propertiesOf(value: unknown, parent: string): readonly Property[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    key === 'default' || key === 'examples'
      ? []
      : key === 'properties'
        ? Object.entries(inner as Record<string, Record<string, unknown>>).flatMap(([name, one]) => [
            { path: `${parent}.${name}`, schema: one },
            ...propertiesOf(one, name),
          ])
        : propertiesOf(inner, parent),
  )
}

test('every property has an example that editors offer, and examples and defaults are what its schema allows', (t) => {
  const whole = scenarioJsonSchema() as Record<string, unknown>
  const properties = propertiesOf(whole, '')
  t.true(properties.length > 2000, String(properties.length))
  const bare = properties.filter(({ schema: { examples, default: given } }) => (examples ?? given) === undefined)
  t.deepEqual([...new Set(bare.map(({ path }) => path))], [])
  const distinct = new Map(properties.map((one) => [`${one.path} ${JSON.stringify(one.schema)}`, one]))
  const wrong = [...distinct.values()].flatMap(({ path, schema: { examples = [], default: given, ...rest } }) => {
    const values = [...(examples as readonly unknown[]), ...(given === undefined ? [] : [given])]
    const reader = z.fromJSONSchema({ ...rest, $defs: whole['$defs'] } as Parameters<typeof z.fromJSONSchema>[0])
    return values
      .filter((value) => !reader.safeParse(value).success)
      .map((value) => `${path}: ${json5.stringify(value)}`)
  })
  t.deepEqual([...new Set(wrong)], [])
})

const compiles = (rest: string) => () => {
  const names = 'fixtures: { accounts: { alice: {} } }, faults: { slow: { effect: { hang: true } } }'
  compileScenario(new Map([['s.json5', `{ ${head}, ${names}, ${rest} }`]]), 's.json5')
}
/** Keys that an expectation needs beside the key of the example. */
const beside = new Map<string, object>([
  ['calls', { more: 1 }],
  ['fault', { applied: 1 }],
  ['never', { for: '1s' }],
  ['rpc', { equals: '0x1' }],
])

for (const key of 'height balance fault calls tx event ws given phase digest rpc any all never'.split(' ')) {
  test(`the examples of the expectation ${key} compile`, (t) => {
    const examples = examplesIn(keyDescriptions[`expect.${key}`] ?? keyDescriptions[key] ?? '')
    t.not(examples.length, 0)
    for (const example of examples) {
      const expect = json5.stringify({ [key]: example, ...beside.get(key) })
      t.notThrows(compiles(`steps: [{ expect: ${expect} }]`), expect)
    }
  })
}

test('defaults are keywords where they are values, and sentences where they depend on something', (t) => {
  const properties = propertiesOf(scenarioJsonSchema(), '')
  const defaultOf = (path: string) => properties.find((one) => one.path === path)?.schema['default']
  t.deepEqual(['chain.accounts', 'chain.profile', 'clock.lazy', 'faker.locale'].map(defaultOf), [
    10,
    'local',
    false,
    'en',
  ])
  t.is(defaultOf('faker.refDate'), undefined)
})
