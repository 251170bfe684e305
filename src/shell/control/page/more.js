// What is done less often: reorganisations, saved scenarios, ABIs, sessions, and the end.
import { finished, form, run, say, valueOf } from './actions.js'
import { get, post, remove, session } from './api.js'
import { close, open } from './details.js'
import { h } from './dom.js'

const button = (text, click) => h('button', { type: 'button', click }, text)
const row = (...children) => h('div', { class: 'formrow' }, ...children)

export function openReorg() {
  open('Reorganise', form([
    h('p', { class: 'hint' }, 'CometBFT takes no block back; clients of Ethereum must live with nodes that do.'),
    h('label', {}, 'Newest blocks', h('input', { name: 'depth', type: 'number', min: 1, value: 1, required: true })),
    h('label', {}, 'Who sees it', h('select', { name: 'view' },
      h('option', { value: 'evm' }, 'interface B alone: the same transactions, other hashes'),
      h('option', { value: 'chain' }, 'both sides: other blocks, their transactions are gone'))),
    h('button', { class: 'main' }, 'Reorganise'),
  ], (from) => finished(run(post('/reorg', { depth: Number(valueOf(from, 'depth')), view: valueOf(from, 'view') }),
    ({ depth, height }) => `${depth === 1 ? 'The newest block has' : `The newest ${depth} blocks have`} another hash: height ${height}.`)), { class: 'stack' }))
}

export function openAbi() {
  const text = h('textarea', { name: 'abi', 'aria-label': 'ABI as JSON', required: true })
  open('ABI', form([
    h('p', { class: 'hint' }, 'Logs are named by its events: a list of entries, or what solc, Hardhat or Foundry writes.'),
    h('label', {}, 'JSON', text), h('button', { class: 'main' }, 'Take it'),
  ], (from) => finished(run(asJson(valueOf(from, 'abi')).then((abi) => post('/abis', { abi })), ({ events }) => `Known now: ${events.join(', ')}.`)),
  { class: 'stack' }))
}

async function asJson(text) {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`The ABI is no JSON: ${error.message}`)
  }
}

const changes = { none: 'Nothing has changed', live: 'Taken in', kept: 'Taken in, the chain stays as it is', restart: 'The chain begins again', rebased: 'The chain begins again, and what was entered is entered again' }
const reload = (undo) => finished(run(post('/reload', { undo }), ({ change, generation }) => `${changes[change]}; generation ${generation}.`))

/** Begins a session and goes there. */
export async function newSession() {
  if (await run(post('/sessions').then((made) => { location.href = `/s/${made.session}/` }), () => 'A session begins.')) close()
}

async function endSession() {
  if (await run(remove(`/sessions/${session}`), () => `Session ${session} has ended.`)) location.href = '/'
}

export function openMore() {
  open('More', h('div', { class: 'stack' },
    h('h3', {}, 'Scenario'), row(button('Take the saved scenario in', () => reload(false)), button('Go back to the set before', () => reload(true))),
    h('h3', {}, 'Chain'), row(button('Reorganise…', openReorg), button('Reset to the start', () => finished(run(post('/reset'), ({ height }) => `As after the start: height ${height}.`)))),
    h('h3', {}, 'Names of logs'), row(button('Give an ABI…', openAbi)),
    h('h3', {}, 'Sessions'), row(button('New session', newSession), session === '' ? null : button('End this session', endSession)),
    h('h3', {}, 'Process'), row(button('Stop the server', () => finished(run(post('/stop'), ({ stopping }) => stopping ? 'It stops.' : 'It runs inside a program, which ends it.'))))))
}

/** Checkpoints in files: saving under a name. */
export function openSave() {
  open('Save the node', form([
    h('p', { class: 'hint' }, 'The whole node in a file, good for any number of loads and after a restart.'),
    h('label', {}, 'Name', h('input', { name: 'name', class: 'long', required: true })), h('button', { class: 'main' }, 'Save'),
  ], (from) => finished(run(post('/checkpoints/saved', { name: valueOf(from, 'name') }), ({ name, height }) => `"${name}" holds height ${height}.`)
    .then((isDone) => { if (isDone) dispatchEvent(new HashChangeEvent('hashchange')); return isDone })), { class: 'stack' }))
}

export const loadSaved = (name) => run(post('/checkpoints/load', { name }), ({ height }) => `At height ${height}, as "${name}" was saved.`)

/** The chooser: the main chain, every session, and a new one. */
export async function listSessions(box, list) {
  const names = ['', ...(await get('/sessions')).map((one) => one.session)]
  box.hidden = false
  const choice = (name) => h('option', { value: `/${name === '' ? '' : `s/${name}/`}`, selected: name === session }, name === '' ? 'main chain' : name)
  list.replaceChildren(...names.map(choice), h('option', { value: '+' }, 'new session'))
  list.addEventListener('change', () => {
    if (list.value === '+') newSession().catch((error) => say(error.message, true))
    else location.href = list.value
  })
}
