import test from 'ava'
import fc from 'fast-check'
import {
  addDue,
  type Agenda,
  agendaEntries,
  type AgendaEntry,
  agendaSize,
  emptyAgenda,
  nextDue,
  removeDue,
  removeDueWhere,
} from '../../src/data/agenda.ts'

type Operation =
  | { type: 'add'; timeMs: number; item: number }
  | { type: 'take'; untilMs: number }
  | { type: 'drop'; item: number }

const type = <Name extends string>(name: Name) => fc.constant<Name>(name)
const timeMs = fc.nat(20)
const item = fc.nat(5)
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: type('add'), timeMs, item }) },
  { weight: 3, arbitrary: fc.record({ type: type('take'), untilMs: timeMs }) },
  { weight: 1, arbitrary: fc.record({ type: type('drop'), item }) },
)

const sort = (entries: AgendaEntry<number>[]) => entries.sort((a, b) => Number(a.timeMs - b.timeMs) || a.seq - b.seq)

test('an agenda behaves like an array sorted by time and arrival', (t) => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
      let agenda: Agenda<number> = emptyAgenda
      let model: AgendaEntry<number>[] = []
      const kept: [typeof agenda, typeof model][] = []
      for (const op of operations) {
        if (op.type === 'add') {
          model = sort([...model, { timeMs: BigInt(op.timeMs), seq: agenda.nextSeq, item: op.item }])
          agenda = addDue(agenda, BigInt(op.timeMs), op.item)
        } else if (op.type === 'drop') {
          model = model.filter(({ item }) => item !== op.item)
          agenda = removeDueWhere(agenda, ({ item }) => item === op.item)
        } else {
          const due = nextDue(agenda, BigInt(op.untilMs))
          t.deepEqual(
            due,
            model.find(({ timeMs }) => timeMs <= BigInt(op.untilMs)),
          )
          if (due !== undefined) {
            agenda = removeDue(agenda, due)
            model = model.filter(({ seq }) => seq !== due.seq)
          }
        }
        kept.push([agenda, model])
      }
      for (const [old, expected] of kept) {
        t.deepEqual([...agendaEntries(old)], expected)
        t.is(agendaSize(old), expected.length)
        t.deepEqual(nextDue(old), expected[0])
      }
    }),
    { seed: 1, numRuns: 200 },
  )
})

test('removing what is not there gives the same agenda', (t) => {
  const agenda = addDue(emptyAgenda as Agenda<string>, 5n, 'a')
  t.is(removeDue(agenda, { timeMs: 5n, seq: 1 }), agenda)
  t.is(
    removeDueWhere(agenda, () => false),
    agenda,
  )
})
