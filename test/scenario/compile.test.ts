import fc from 'fast-check'
import json5 from 'json5'
import test from 'ava'
import { compileScenario } from '../../src/scenario/compile.ts'
import { InvalidScenario } from '../../src/scenario/diagnostic.ts'
import { readSource } from '../../src/scenario/source.ts'

const entry = 'scenarios/t.json5'
const compile = (text: string, others: Record<string, string> = {}) =>
  compileScenario(new Map([[entry, text], ...Object.entries(others)]), entry)

test('a step without a trigger runs at once, and units become numbers', (t) => {
  const { plan } = compile(`{ chainstage: 1, name: 'x', steps: [
    { do: { mine: 3 } }, { id: 'b', when: { after: '5s' }, do: [{ timeJump: '1d' }, { log: 'hi' }] }] }`)
  t.deepEqual(plan.steps[0]?.when, { type: 'immediately' })
  t.like(plan.steps[0]?.actions[0], { type: 'command', command: { type: 'produceBlock', count: 3 } })
  t.deepEqual(plan.steps[1]?.when, { type: 'after', ms: 5000n })
  t.like(plan.steps[1]?.actions[0], { type: 'command', command: { type: 'advanceTime', ms: 86_400_000n } })
})

test('chain and clock become settings', (t) => {
  const { settings } = compile(`{ chainstage: 1, name: 'x', seed: 7,
    chain: { profile: 'evmd', app: 'kvstore' }, clock: { pace: 'instant', interval: '2s' } }`)
  t.deepEqual(settings, { profile: 'evmd', application: 'kvstore', pace: 'instant', interval: '2s', seed: '7' })
})

const digests = test.macro({
  title: (_, title) => `the digest tells ${title} apart`,
  exec: (t, _title: string, ...texts: readonly string[]) => {
    const all = texts.map((text) => compile(`{ chainstage: 1, name: 'x', ${text} }`).plan.digest)
    t.is(new Set(all).size, texts.length)
  },
})

test(
  digests,
  'redelegations from different validators',
  ...['validator1', 'validator2'].map(
    (from) => `chain: { validators: 3 }, steps: [{ do: [{ cosmosTx: { from: '@account0', messages: [
      { redelegate: { from: '${from}', to: 'validator3', amount: '1000atest' } }] } }] }]`,
  ),
)
test(
  digests,
  'values that a step sets under the name source',
  ...['a', 'b'].map((value) => `steps: [{ do: [{ set: { source: '${value}' } }] }]`),
)
test('the same file gives the same digest, another file another one', (t) => {
  const digest = (name: string) => compile(`{ chainstage: 1, name: '${name}' }`).plan.digest
  t.is(digest('a'), digest('a'))
  t.not(digest('a'), digest('b'))
})

test('vars are worked out where they stand, and the importing file wins', (t) => {
  const { plan } = compile(
    `{ chainstage: 1, name: 'x', imports: ['./_v.json5'], vars: { gap: 3 }, steps: [
    { when: { blocks: '\${vars.gap + 1}' }, do: { log: 'after \${vars.gap} of \${vars.what}' } },
    { if: "vars.gap > 3", do: { mine: 1 } }, { id: 'last', if: "vars.what == 'blocks'" }] }`,
    { 'scenarios/_v.json5': `{ vars: { gap: 9, what: 'blocks' } }` },
  )
  t.deepEqual(plan.steps[0]?.when, { type: 'blocks', count: 4n })
  t.deepEqual(plan.steps[0]?.actions, [{ type: 'log', written: 'log', text: 'after 3 of blocks' }])
  t.deepEqual(
    plan.steps.map(({ id }) => id),
    ['step-1', 'last'],
  )
})

test('the name of a fault is short for the action that turns it on', (t) => {
  const [short, long] = [`'slow'`, `{ use: 'slow' }`].map((fault) =>
    compile(
      `{ chainstage: 1, name: 'x', faults: { slow: { effect: { hang: true } } }, steps: [{ do: { fault: ${fault} } }] }`,
    ),
  )
  t.deepEqual(short?.plan.steps, long?.plan.steps)
  t.like(short?.plan.steps[0]?.actions[0], { type: 'useFault', name: 'slow' })
})

const slow = `{ vars: { wait: '2s' }, faults: { slow: { effect: { latency: '\${vars.wait}' } } } }`

test('a part under a name keeps to itself, and takes values', (t) => {
  const { plan } = compile(
    `{ chainstage: 1, name: 'x', vars: { wait: '9s', own: '5s' }, imports: [
    { from: './_s.json5', as: 'a' }, { from: './_s.json5', as: 'b', with: { wait: '\${vars.own}' } }],
    steps: [{ do: [{ fault: { use: 'b.slow' } }, { log: '\${vars.a.wait} \${vars.b.wait} \${vars.wait}' }] }] }`,
    { 'scenarios/_s.json5': slow },
  )
  t.deepEqual(
    plan.faults.map(({ name, effects }) => [name, effects[0]]),
    [
      ['a.slow', { type: 'latency', minMs: 2000n, maxMs: 2000n }],
      ['b.slow', { type: 'latency', minMs: 5000n, maxMs: 5000n }],
    ],
  )
  t.deepEqual(plan.steps[0]?.actions[1], { type: 'log', written: 'log', text: '2s 5s 9s' })
})

test('a later import wins where it says so', (t) => {
  const others = {
    'scenarios/_s.json5': slow,
    'scenarios/_h.json5': `{ faults: { slow: { effect: { hang: true } } } }`,
  }
  const { plan } = compile(
    `{ chainstage: 1, name: 'x', imports: ['./_s.json5', { from: './_h.json5', override: true }] }`,
    others,
  )
  t.deepEqual(plan.faults[0]?.effects, [{ type: 'hang' }])
})

test('a file that two parts import counts once', (t) => {
  const { closure } = compile(`{ chainstage: 1, name: 'x', imports: ['./_a.json5', './_b.json5'] }`, {
    'scenarios/_a.json5': `{ imports: ['./_s.json5'] }`,
    'scenarios/_b.json5': `{ imports: ['./_s.json5'] }`,
    'scenarios/_s.json5': slow,
  })
  t.is(closure.length, 4)
})

test('values from outside take the kind of what is declared', (t) => {
  const text = `{ chainstage: 1, name: 'x', imports: ['./_s.json5'], vars: { n: 1, isOn: false, who: 'a' },
    faults: { f: { effect: { latency: '\${vars.wait}' } } },
    steps: [{ do: { mine: '\${vars.n + 1}' } }, { if: 'vars.isOn', do: { log: '\${vars.who}' } }] }`
  const files = new Map([
    [entry, text],
    ['scenarios/_s.json5', slow],
  ])
  const vars = new Map([
    ['n', '4'],
    ['isOn', 'true'],
    ['who', '7'],
    ['wait', '1s'],
  ])
  const { plan } = compileScenario(files, entry, { vars })
  t.deepEqual(
    plan.steps.map(({ actions }) => actions[0]),
    [
      { type: 'command', written: 'mine', command: { type: 'produceBlock', count: 5 } },
      { type: 'log', written: 'log', text: '7' },
    ],
  )
  t.deepEqual(
    plan.faults.map(({ effects }) => effects[0]),
    Array(2).fill({ type: 'latency', minMs: 1000n, maxMs: 1000n }),
  )
  t.throws(() => compileScenario(files, entry, { vars: new Map([['whoo', '1']]) }), {
    message: /SC2006 {2}no var is called "whoo"[^]*Did you mean "who"/,
  })
  t.throws(() => compileScenario(files, entry, { vars: new Map([['n', 'x']]) }), {
    message: /the var "n" is an integer, received "x"/,
  })
})

test('where a thing stands in its file does not change the digest', (t) => {
  const text = `{ chainstage: 1, name: 'x', steps: [{ do: { mine: 1 }, expect: { height: { min: 1 } } }] }`
  t.is(compile(text).plan.digest, compile(`// moved\n\n${text}`).plan.digest)
})

test('an imported fault can be used, and its file belongs to the closure', (t) => {
  const { plan, closure } = compile(
    `{ chainstage: 1, name: 'x', imports: ['./_parts/f.json5'], steps: [{ do: { fault: { use: 'slow', for: '3 blocks' } } }] }`,
    { 'scenarios/_parts/f.json5': `{ faults: { slow: { effect: { latency: '2s' } } } }` },
  )
  t.deepEqual(closure, [entry, 'scenarios/_parts/f.json5'])
  t.deepEqual(plan.faults[0]?.effects, [{ type: 'latency', minMs: 2000n, maxMs: 2000n }])
  t.deepEqual(plan.steps[0]?.actions, [
    { type: 'useFault', written: 'fault', name: 'slow', forMs: undefined, forBlocks: 3n },
  ])
})

const refused = test.macro((t, text: string, expected: string, others: Record<string, string> = {}) => {
  const error = t.throws(() => compile(text, others), { instanceOf: InvalidScenario })
  const lines =
    error?.diagnostics.map(
      (one) =>
        `${one.file}:${one.line}:${one.column} ${one.code} ${one.message}${one.hint === undefined ? '' : ` | ${one.hint}`}`,
    ) ?? []
  t.true(
    lines.some((line) => line.includes(expected)),
    lines.join('\n'),
  )
})

const head = `chainstage: 1, name: 'x'`
test('a missing comma names its place', refused, `{\n chainstage: 1\n name: 'x' }`, ':3:2 SC1000')
test('an empty file is refused', refused, '', 'SC1000')
test('a repeated key is refused', refused, `{ ${head},\n name: 'y' }`, ':2:2 SC1001 duplicate key "name"')
test('__proto__ is refused', refused, `{ ${head}, ['__proto__']: 1 }`.replace("['__proto__']", '__proto__'), 'SC1002')
test('NaN is refused', refused, `{ ${head}, run: NaN }`, 'SC1003')
test('an integer beyond 2^53 is refused', refused, `{ ${head}, seed: 9007199254740993 }`, 'SC1004')
test(
  'an unknown key names the nearest',
  refused,
  `{ ${head}, stepps: [] }`,
  'SC1010 unknown key "stepps" | Did you mean "steps"?',
)
test('a missing name is said to be missing', refused, `{ chainstage: 1 }`, 'SC1011 "name" is missing')
test(
  'an unknown version of the format is refused',
  refused,
  `{ chainstage: 2, name: 'x' }`,
  'expected 1, the version of the scenario format, received 2',
)
test('UTF-16 is told from bad syntax', refused, '\ufffd\ufffd{\0 \0}\0', 'not text in UTF-8 | Save it as UTF-8.')
test('a bracket out of place is shown', refused, `{ ${head}, steps: [{} {}] }`, "invalid JSON5: unexpected '{' |")
test('a list is no scenario', refused, '[]', 'the file: expected an object, received an empty list')
test('a text is no number', refused, `{ ${head}, steps: [{ do: { mine: '3x' } }] }`, 'expected a number, received "3x"')
test(
  'a status beyond the range names the value',
  refused,
  `{ ${head}, faults: { a: { effect: { http: { status: 999 } } } } }`,
  'faults.a.effect.http.status: expected a number of at most 599, received 999',
)
test(
  'an action without a name names none',
  refused,
  `{ ${head}, steps: [{ do: {} }] }`,
  'steps.0.do: expected exactly one action in an object, received an empty object',
)
test(
  'a duration without a unit is refused',
  refused,
  `{ ${head},\n steps: [{ when: { after: '5' } }] }`,
  `:2:27 SC1012 steps.0.when.after: expected a duration`,
)
test('a number where a duration belongs is refused', refused, `{ ${head}, run: { timeout: 5 } }`, 'run.timeout')
test(
  'an unknown action names the nearest',
  refused,
  `{ ${head}, steps: [{ do: { mien: 1 } }] }`,
  'unknown key "mien" | Did you mean "mine"?',
)
test(
  'two actions in one object are refused',
  refused,
  `{ ${head}, steps: [{ do: { mine: 1, log: 'a' } }] }`,
  'exactly one action',
)
test(
  'an address of the wrong length is refused',
  refused,
  `{ ${head}, steps: [{ do: { setNonce: { address: '0x12', nonce: 1 } } }] }`,
  'expected 20 bytes',
)
test(
  'an unknown fault names the nearest',
  refused,
  `{ ${head}, faults: { slow: { effect: { hang: true } } }, steps: [{ do: { fault: { use: 'slwo' } } }] }`,
  'SC2003 no fault is called "slwo" | Did you mean "slow"?',
)
test(
  'an unknown fault in short names the nearest',
  refused,
  `{ ${head}, faults: { slow: { effect: { hang: true } } }, steps: [{ do: { fault: 'slwo' } }] }`,
  'SC2003 no fault is called "slwo" | Did you mean "slow"?',
)
test(
  'an import that cannot be read is refused',
  refused,
  `{ ${head}, imports: ['./no.json5'] }`,
  'SC2001 cannot read the import scenarios/no.json5',
)
test('imports in a circle are refused', refused, `{ ${head}, imports: ['./a.json5'] }`, 'SC2002 circular import', {
  'scenarios/a.json5': `{ imports: ['./t.json5'] }`,
})
test(
  'a longer circle is shown whole',
  refused,
  `{ ${head}, imports: ['./a.json5'] }`,
  'circular import: scenarios/t.json5 → scenarios/a.json5 → scenarios/b.json5 → scenarios/a.json5',
  {
    'scenarios/a.json5': `{ imports: ['./b.json5'] }`,
    'scenarios/b.json5': `{ imports: [{ from: './a.json5', as: 'x' }] }`,
  },
)
test(
  'a fault of two imports is refused',
  refused,
  `{ ${head}, imports: ['./_a.json5', './_b.json5'] }`,
  'scenarios/_b.json5:1:35 SC2004 scenarios/_a.json5 also declares the fault "slow"',
  { 'scenarios/_a.json5': slow, 'scenarios/_b.json5': slow },
)
test(
  'a value for a var that the part does not declare is refused',
  refused,
  `{ ${head}, imports: [{ from: './_a.json5', with: { wat: '1s' } }] }`,
  'SC2005 scenarios/_a.json5 declares no var "wat" | Did you mean "wait"?',
  { 'scenarios/_a.json5': slow },
)
test(
  'a problem in an imported file names that file',
  refused,
  `{ ${head}, imports: ['./_a.json5'] }`,
  'scenarios/_a.json5:1:3 SC1010 unknown key "fults"',
  { 'scenarios/_a.json5': `{ fults: {} }` },
)
test(
  'a probability above 1 is refused',
  refused,
  `{ ${head}, faults: { f: { select: { probability: '3/2' }, effect: { hang: true } } } }`,
  'a ratio like',
)
test(
  'an unknown name in an expression names the nearest',
  refused,
  `{ ${head}, vars: { gap: 1 }, steps: [{ do: { mine: '\${vars.gpa}' } }] }`,
  ':1:69 SC2010 the expression vars.gpa: unknown name "vars.gpa" | Did you mean "vars.gap"?',
)
test('a profile that does not exist is refused', refused, `{ ${head}, chain: { profile: 'lokal' } }`, 'chain.profile')

test('all problems are reported at once', (t) => {
  const error = t.throws(() => compile(`{ ${head}, stepps: [], chian: {}, run: { timeout: 'x' } }`), {
    instanceOf: InvalidScenario,
  })
  t.is(error?.diagnostics.length, 3)
})

test('json5 and the syntax tree agree on every value', (t) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      const text = json5.stringify(value)
      const source = readSource('f', text)
      t.deepEqual(source.value, json5.parse(text))
    }),
    { seed: 5, numRuns: 200 },
  )
})

test(
  'a fault that a rule uses and nobody declares is refused',
  refused,
  `{ ${head}, faults: { slow: { effect: { hang: true } } }, rules: [{ when: { signal: 'a' }, do: { fault: { use: 'slwo' } } }] }`,
  'SC2003 no fault is called "slwo" | Did you mean "slow"?',
)
test(
  'a fault inside of several expectations is looked for',
  refused,
  `{ ${head}, steps: [{ expect: { any: [{ fault: 'slow', applied: 1 }, { height: 1 }] } }] }`,
  'SC2003 no fault is called "slow"',
)
test(
  'a step that is waited for must be there',
  refused,
  `{ ${head}, steps: [{ id: 'one' }, { when: { step: 'oen' } }] }`,
  'SC2004 no step is called "oen" | Did you mean "one"?',
)
test(
  'two steps of one id are refused',
  refused,
  `{ ${head}, steps: [{ id: 'one' }, { id: 'one' }] }`,
  'SC2005 two steps are called "one"',
)
test(
  'a query that CometBFT RPC would refuse is refused',
  refused,
  `{ ${head}, steps: [{ when: { event: { comet: 'tm.event =' } } }] }`,
  'expected a query like',
)
test(
  'an expectation that says nothing of a result is refused',
  refused,
  `{ ${head}, steps: [{ expect: { rpc: { iface: 'eth', method: 'eth_chainId' } } }] }`,
  'expected one of equals, differs, matches, error, result, or a range with min and max',
)

test('a fault written in place can be cleared by its name', (t) => {
  const { plan } = compile(
    `{ ${head}, steps: [{ do: [{ fault: { inline: { effect: { hang: true } }, as: 'mine' } }, { clearFault: 'mine' }] }] }`,
  )
  t.is(plan.steps[0]?.actions.length, 2)
})

test('what several places count is counted once', (t) => {
  const { plan } =
    compile(`{ ${head}, steps: [{ when: { request: { method: 'eth_call' } } }, { expect: { calls: { method: ['eth_call'] }, count: { min: 1 } } }],
    rules: [{ when: { any: [{ request: { method: 'eth_call' }, nth: 3 }, { after: '1s' }] }, do: { log: 'a' } }] }`)
  t.deepEqual(
    plan.counters?.map(({ match }) => match),
    [{ type: 'call', methods: ['eth_call'] }],
  )
})

test('a problem in a long line is shown with the part of the line around it', (t) => {
  const line = `{ ${head}, description: '${'a'.repeat(500)}', stepz: [], seed: '${'b'.repeat(500)}' }`
  const error = t.throws(() => compile(`${line}\r\n`), { instanceOf: InvalidScenario })
  const [, shown = '', caret = ''] = error?.message.split('\n') ?? []
  t.regex(shown, /^ {2}1 \| …a{70,}', stepz: \[\], seed: 'b+…$/)
  t.is(shown.slice(caret.indexOf('^')).slice(0, 5), 'stepz')
})
