// The scenario: every step with what became of it, whatever kinds of steps there are.
import { get, post } from './api.js'
import { h, folded, pill, table } from './dom.js'
import { milliseconds, number } from './format.js'
import { run } from './actions.js'

const kinds = { done: 'good', failed: 'bad', waiting: 'warn', checking: 'warn' }

export const scenario = {
  id: 'scenario', title: 'Scenario', load: () => get('/scenario'),
  count: ({ scenario: { step, steps } }) => steps === 0 ? undefined : `${Math.min(step, steps)}/${steps}`,
  view: (told) => [
    h('p', { class: 'hint' }, `${told.name}: ${told.description || 'no description'} `, pill(told.state, { passed: 'good', failed: 'bad', running: 'warn' }[told.state])),
    told.steps.length === 0
      ? h('div', { class: 'card empty' }, h('strong', {}, 'This scenario has no steps'), 'Save one with steps, or start with ', h('code', {}, 'scenarios/slow-node.json5'), '.')
      : h('div', {}, progressOf(told), h('ol', { class: 'steps card' }, told.steps.map(stepItem))),
    ...(told.rules.length === 0 ? [] : [h('h3', {}, 'Rules'), ruleTable(told.rules)]),
  ],
}

function progressOf({ steps }) {
  const done = steps.filter(({ state }) => state === 'done' || state === 'failed').length
  return h('p', {}, h('progress', { max: steps.length, value: done, 'aria-label': `${done} of ${steps.length} steps are over` }))
}

function ruleTable(rows) {
  return table({ label: 'Rules', rows, empty: [], columns: [
    { title: 'Name', show: ({ id }) => id },
    { title: 'Fired', class: 'num', show: ({ fired, times }) => times === null ? number(fired) : `${number(fired)} of ${number(times)}` },
    { title: 'Phase', show: ({ phase }) => phase },
    { title: 'When', class: 'wrap', show: ({ when }) => said(when) },
    { title: 'Does', class: 'wrap', show: ({ actions, failures }) => [actions.map(said).join('; '), ...failures.map((text) => h('div', { class: 'fail' }, text))] },
  ] })
}

/** How far the step is that the scenario stands at. */
function standing({ missing, met, expectations, fired, times, leftMs }) {
  if (missing === undefined) return null
  const parts = [
    missing, expectations.length > 0 && met > 0 ? `${met} of ${expectations.length} expectations hold` : '',
    times > 1 ? `time ${fired + 1} of ${times}` : '',
    leftMs < 3_600_000 ? `${milliseconds(Math.max(0, leftMs))} left` : '',
  ]
  return h('div', { class: 'standing' }, parts.filter((part) => part !== '').join('; '))
}

function stepItem(step) {
  return h('li', {}, h('div', {}, pill(step.state, kinds[step.state])), h('div', {},
    h('strong', {}, step.id), ' ', h('span', { class: 'hint' }, step.source),
    h('div', { class: 'hint' }, `when ${said(step.when)}`),
    h('div', {}, step.actions.map(said).join('; ') || 'does nothing'),
    step.expectations.length === 0 ? null : h('div', { class: 'hint' }, `expects ${step.expectations.map(({ source: _, ...one }) => said(one)).join('; ')}`),
    standing(step),
    ...step.failures.map((text) => h('div', { class: 'fail' }, text)),
    step.waitsFor !== null && step.state === 'waiting'
      ? h('button', { type: 'button', 'data-key': `give-${step.waitsFor}`, click: () => run(post('/signal', { name: step.waitsFor }), () => `Signal "${step.waitsFor}" was given.`) }, `Give "${step.waitsFor}"`)
      : null,
    folded('As compiled', { when: step.when, do: step.actions, expect: step.expectations })))
}

/** One kind of thing with its members, in words: new kinds need nothing here. */
function said({ type, ...rest }) {
  const members = Object.entries(rest).filter(([, value]) => value !== undefined)
    .map(([name, value]) => (typeof value === 'object' && value !== null ? said(value) : `${name} ${value}`))
  return [type, ...members].filter((part) => part !== undefined && part !== '').join(' ')
}
