// What an operator does. Every outcome is said in the line below the controls.
import { get, post } from './api.js'
import { byId, h } from './dom.js'
import { close, open } from './details.js'

/** Says what an action came to, or why it was refused. */
export async function run(asked, told) {
  try {
    const result = await asked
    say(told(result))
    return true
  } catch (error) {
    say(error.message, true)
    return false
  }
}

export function say(text, isBad = false) {
  byId('said').textContent = text
  byId('said').classList.toggle('bad', isBad)
}

export const valueOf = (form, name) => new FormData(form).get(name)
const button = (text, click, key) => h('button', { type: 'button', click, 'aria-keyshortcuts': key, title: key && `Key ${key}` }, text)

/** A form that asks and says what came of it. */
export function form(children, submit, attributes = {}) {
  return h('form', { ...attributes, submit: (event) => { event.preventDefault(); submit(event.currentTarget) } }, ...children)
}

export const mine = (blocks, interval = '') => run(post('/mine', { blocks, ...(interval === '' ? {} : { interval }) }), ({ height }) => `Made ${blocks === 1 ? 'a block' : `${blocks} blocks`}: height ${height}.`)
export const checkpoint = () => run(post('/checkpoint'), ({ id, height }) => `Checkpoint ${id} remembers height ${height}.`)
export const restore = () => run(post('/restore'), ({ id, height }) => `Back to checkpoint ${id}: height ${height}.`)

/** Fills the bar of controls. */
export function controls(more) {
  byId('controls').replaceChildren(
    form([h('label', {}, 'Blocks', h('input', { name: 'blocks', type: 'number', min: 1, max: 1000000, value: 1, required: true })),
      h('label', {}, 'Apart', h('input', { name: 'interval', class: 'short', placeholder: 'as set' })),
      h('button', { class: 'main', 'aria-keyshortcuts': 'm', title: 'Key m' }, 'Mine')], (from) => mine(Number(valueOf(from, 'blocks')), valueOf(from, 'interval')), { 'aria-label': 'Make blocks' }),
    form([h('label', {}, 'Block time', h('input', { name: 'by', class: 'short', value: '1h', required: true, 'aria-describedby': 'said' })),
      h('label', { class: 'check' }, h('input', { name: 'mine', type: 'checkbox', checked: true }), 'with a block'),
      h('button', {}, 'Move time')], (from) => moveTime(valueOf(from, 'by'), valueOf(from, 'mine') !== null), { 'aria-label': 'Move block time' }),
    h('div', { class: 'formrow' }, button('Checkpoint', checkpoint, 'c'), button('Restore', restore, 'r'),
      button('Fault…', () => openFault()), button('Signal…', () => openSignal()), button('Faucet…', () => openFaucet()),
      button('More…', more, 'o')))
}

const moveTime = (by, mines) => run(post('/time', { by, mine: mines }), ({ height }) => `Block ${mines ? height : height + 1} is ${by} later.`)

const firstRule = `{
  "match": { "iface": "eth", "method": "eth_*" },
  "effect": { "latency": "200ms" }
}`

export async function openFault() {
  const { available } = await get('/faults')
  const rule = h('textarea', { name: 'rule', 'aria-label': 'Rule as JSON' })
  rule.value = firstRule
  open('New fault', form([
    h('p', { class: 'hint' }, available.length === 0 ? 'Described as in a scenario, as JSON.' : `Described as in a scenario, as JSON. Those of the scenario (${available.map(({ name }) => name).join(', ')}) are in the panel Faults.`),
    h('label', {}, 'Name', h('input', { name: 'name', class: 'long', value: 'slow', required: true })),
    h('label', {}, 'Rule', rule),
    h('label', {}, 'For how long (empty: until it is turned off)', h('input', { name: 'for', class: 'short', placeholder: '30s' })),
    h('label', {}, 'For how many blocks', h('input', { name: 'forBlocks', type: 'number', min: 1 })),
    h('button', { class: 'main' }, 'Turn on'),
  ], async (from) => {
    const [name, time, blocks] = ['name', 'for', 'forBlocks'].map((one) => valueOf(from, one))
    const until = { ...(time === '' ? {} : { for: time }), ...(blocks === '' ? {} : { forBlocks: Number(blocks) }) }
    await finished(run(parsed(valueOf(from, 'rule')).then((file) => post('/faults', { name, rule: file, ...until })), () => `"${name}" is on.`))
  }, { class: 'stack' }))
}

async function parsed(text) {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`The rule is no JSON: ${error.message}`)
  }
}

export async function openSignal() {
  const { steps } = await get('/scenario')
  const names = [...new Set(steps.map(({ waitsFor }) => waitsFor).filter((name) => name !== null))]
  open('Give a signal', form([
    h('p', { class: 'hint' }, names.length === 0 ? 'No step of this scenario waits for a signal; one that is given stays until a step does.' : `Steps of this scenario wait for: ${names.join(', ')}.`),
    h('label', {}, 'Name', h('input', { name: 'name', class: 'long', value: names[0] ?? '', required: true })),
    h('button', { class: 'main' }, 'Give signal'),
  ], (from) => finished(run(post('/signal', { name: valueOf(from, 'name') }), ({ name }) => `Signal "${name}" was given.`)), { class: 'stack' }))
}

export function openFaucet(address = '') {
  open('Faucet', form([
    h('label', {}, 'Address, 0x… or cosmos1…', h('input', { name: 'address', class: 'long mono', value: address, required: true })),
    h('label', {}, 'Whole tokens', h('input', { name: 'tokens', class: 'short', value: '100', required: true, inputmode: 'decimal' })),
    h('button', { class: 'main' }, 'Give tokens'),
  ], (from) => finished(run(post('/faucet', { address: valueOf(from, 'address'), tokens: valueOf(from, 'tokens') }), () => `${valueOf(from, 'address')} has ${valueOf(from, 'tokens')} more.`)), { class: 'stack' }))
}

/** A refused form stays open, and says so where the person looks. */
export async function finished(outcome) {
  if (await outcome) return close()
  const shown = byId('detailbody').querySelector('[role=alert]') ?? h('p', { class: 'fail', role: 'alert' })
  shown.textContent = byId('said').textContent
  byId('detailbody').append(shown)
}
