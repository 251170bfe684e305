/** Operators on long texts, which the interpreter does not count, end with the time that a script has. */
import test from 'ava'
import { loadQuickJs } from '../../src/shell/scripts/quickjs.ts'

test('a script that compares long texts for ever is stopped, and the next one has all its time', async (t) => {
  t.timeout(300_000)
  const engine = await loadQuickJs(() => {}, 500)
  const run = (body: string): string => {
    const realm = engine.open([`(function () { return { go: function () { ${body} } } })`], () => '')
    try {
      return realm.call('go', [])
    } finally {
      realm.close()
    }
  }
  const texts = `var a = 'x'.repeat(1e6), b = 'x'.repeat(1e6 - 1) + 'x', equal = 0`
  t.throws(() => run(`${texts}; for (;;) if (a === b) equal++`), { message: 'execution timeout' })
  t.is(run(`${texts}; for (var i = 0; i < 100; i++) if (a === b) equal++; return String(equal)`), '100')
})
