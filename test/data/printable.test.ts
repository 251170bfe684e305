import test from 'ava'
import { noPlan } from '../../src/plan/plan.ts'
import { tapReport, textReport } from '../../src/scenario/report/reporters.ts'
import { startProgress } from '../../src/scenario/progress.ts'
import { createLog } from '../../src/shell/log.ts'
import { printable } from '../../src/data/printable.ts'

const prints = test.macro((t, text: string, printed: string) => t.is(printable(text), printed))
test('plain text stays as it is', prints, 'eth_call 200 ü 例', 'eth_call 200 ü 例')
test('an escape sequence is shown, not carried out', prints, '\u001b[31mred', '\\x1b[31mred')
test('a carriage return cannot overwrite a line', prints, 'safe\rEVIL', 'safe\\x0dEVIL')
test('a line break cannot forge a line', prints, 'a\nerror b', 'a\n      error b')
test('a change of direction is shown', prints, 'a\u202eb', 'a\\u202eb')
test('the controls of ISO 8859 are shown', prints, '\u009b31m', '\\x9b31m')

test('the log prints what contracts and clients said without carrying it out', (t) => {
  const lines: string[] = []
  const log = createLog({
    out: (text) => {
      lines.push(text)
    },
  })
  log.open()
  log.write('info', 'console.log: \u001b]0;title\u0007\nerror forged')
  t.deepEqual(lines, ['info  console.log: \\x1b]0;title\\x07\n      error forged\n'])
})

test('a report prints names and failures that come from files and clients without carrying them out', (t) => {
  const evil = '\u001b[2Jname\nok forged'
  const progress = startProgress(noPlan, { timeMs: 0n, height: 0n })
  const failures = [{ step: 'one', text: evil, source: evil }]
  const outcome = {
    plan: { ...noPlan, name: evil },
    progress: { ...progress, state: 'failed' as const, failures },
    ...{
      file: evil,
      childCode: 0,
      childFailedFirst: false,
      unused: [{ name: evil, near: evil }],
      masked: [evil],
      calls: [evil],
      wallMs: 1,
      stepMs: [],
    },
  }
  const notRun = { file: evil, text: evil, problems: [], code: 2 }
  for (const text of [textReport(outcome), textReport(notRun), tapReport([outcome, notRun])]) {
    t.false(text.includes('\u001b'), text)
    t.false(/^ok forged/m.test(text), text)
  }
})
