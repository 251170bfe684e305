// The keyboard: every control has a key of its own or is reached by Tab.
import { checkpoint, mine, restore } from './actions.js'
import { open } from './details.js'
import { h } from './dom.js'
import { openMore } from './more.js'
import { panels } from './panels.js'

const keys = { m: () => mine(1), c: checkpoint, r: restore, o: openMore, '?': openKeys }

/** Listens for keys outside of fields and dialogs. */
export function listenToKeys(show) {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return
    if (event.target.closest('input, textarea, select')) return
    const panel = /^\d$/.test(event.key) ? panels[(Number(event.key) + 9) % 10] : undefined
    if (panel !== undefined) show(panel.id)
    else if (Object.hasOwn(keys, event.key)) keys[event.key]()
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveInTable(event)
  })
}

/** From the button of one row to that of the next. */
function moveInTable(event) {
  const row = event.target.closest('tbody tr')
  const next = event.key === 'ArrowDown' ? row?.nextElementSibling : row?.previousElementSibling
  const target = next?.querySelector('button')
  if (!target) return
  event.preventDefault()
  target.focus()
}

export function openKeys() {
  const rows = [['1 … 9, 0', 'the panels in their order'], ['m', 'make a block'], ['c', 'make a checkpoint'], ['r', 'restore the newest checkpoint'],
    ['o', 'what is done less often: reorganise, reload, ABIs, sessions, stop'],
    ['↑ ↓', 'from row to row in a table'], ['Enter', 'open what has the focus'], ['Esc', 'close'], ['?', 'this list']]
  open('Keys', h('dl', { class: 'fields' }, rows.flatMap(([key, does]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, does)])))
}
