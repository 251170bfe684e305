import test from 'ava'
import { BadExpression, drawingFunctions, evaluate, namesIn } from '../../src/scenario/expression.ts'

const names = new Map<string, bigint | string | boolean>([
  ['vars.gap', 3n],
  ['vars.who', 'alice'],
  ['vars.on', true],
])

const equals = test.macro({
  exec: (t, text: string, wanted: bigint | string | boolean) => t.is(evaluate(text, names), wanted),
  title: (_given, text) => `${text} has a value`,
})
test(equals, '1 + 2 * 3', 7n)
test(equals, '(1 + 2) * 3 - -1', 10n)
test(equals, '7 / 2', 3n)
test(equals, 'vars.gap-1', 2n)
test(equals, "vars.who == 'alice' && !(vars.gap > 3)", true)
test(equals, 'vars.on || false', true)
test(equals, "'0' + vars.gap", '03')
test(equals, 'min(5, vars.gap, 9)', 3n)
test(equals, 'hex(max(255, 1))', '0xff')
test(equals, 'len(vars.who)', 5n)
test(equals, '100000000000000000000 + 1', 100000000000000000001n)

test(equals, "'0x10' + 0 == 16", false)
test(equals, "'16' == 16 && '0x10' == 16 && 16 != 'a'", true)
test(equals, "1 + '0x10'", 17n)

test('draws depend on their label and limit', (t) => {
  const asked: string[] = []
  const functions = drawingFunctions((label, below) => {
    asked.push(`${label} ${below}`)
    return below - 1n
  })
  const known = { get: () => undefined, keys: () => [][Symbol.iterator](), functions }
  t.deepEqual(
    ["rand('a')", "rand('a', 6)", "pick('x', 'y', 3)"].map((text) => evaluate(text, known)),
    [999_999n, 5n, 3n],
  )
  t.deepEqual(asked, ['rand:a 1000000', 'rand:a 6', 'pick:x,y,3 3'])
  t.throws(() => evaluate("rand('a', 0)", known), { instanceOf: BadExpression })
})

test('names that every object inherits are no functions', (t) => {
  const known = { get: () => undefined, keys: () => [][Symbol.iterator](), functions: drawingFunctions(() => 0n) }
  for (const name of ['hasOwnProperty', 'constructor', 'toString']) {
    t.throws(() => evaluate(`${name}(1)`, known), { instanceOf: BadExpression, message: /there is no function/ }, name)
  }
})

test('the names in an expression are found, words and functions are not names', (t) => {
  t.deepEqual(namesIn("max(vars.a, tx.b.nonce) + len('tx.c') > 1 && true"), ['vars.a', 'tx.b.nonce'])
  t.deepEqual(namesIn('tx.encode(alice, bank.send) + set.x'), ['set.x'])
})

const refused = test.macro({
  exec(t, text: string, why: string) {
    const error = t.throws(() => evaluate(text, names), { instanceOf: BadExpression })
    t.true(`${error?.message} | ${error?.hint}`.includes(why), `${error?.message} | ${error?.hint}`)
  },
  title: (_given, text) => `${String(text).slice(0, 40)} is refused`,
})
test(refused, '', 'unexpected end')
test(refused, '1 +', 'unexpected end')
test(refused, '(1', '")" is missing')
test(refused, '1 2', 'unexpected "2"')
test(refused, '1 / 0', 'division by zero')
test(refused, 'hex(0 - 5)', 'expected an integer of at least 0, received -5')
test(refused, `${'('.repeat(20_000)}1${')'.repeat(20_000)}`, 'it is more than 100 deep')
test(refused, `${'-'.repeat(20_000)}1`, 'it is more than 100 deep')
test(refused, '1.5', 'is not valid here')
test(refused, 'vars.gpa', 'Did you mean "vars.gap"?')
test(refused, 'mni(1)', 'Did you mean "min"?')
test(refused, "'a' - 1", 'expected an integer')
test(refused, '1 && true', 'expected true or false')
test(refused, 'Date.now()', 'unexpected "')
test(refused, "rand('a')", 'random functions are not available here')
