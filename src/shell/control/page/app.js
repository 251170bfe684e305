// Shows one panel at a time and keeps it as the chain is now.
import { controls, say } from './actions.js'
import { liveUrl, session } from './api.js'
import { close } from './details.js'
import { byId, h } from './dom.js'
import { moment, number } from './format.js'
import { listenToKeys, openKeys } from './keys.js'
import { listSessions, openMore } from './more.js'
import { panels } from './panels.js'

let status
let isLoading = false
let isStale = false

const current = () => panels.find(({ id }) => id === location.hash.slice(1)) ?? panels[0]
const show = (id) => { location.hash = id }

/** Reads and draws the panel; a change that comes meanwhile is drawn afterwards. */
async function refresh() {
  if (isLoading) { isStale = true; return }
  isLoading = true
  do {
    isStale = false
    const panel = current()
    try {
      const data = await panel.load()
      if (panel === current()) draw(panel, data)
    } catch (error) {
      say(error.message, true)
    }
  } while (isStale)
  isLoading = false
}

/** What had the focus or was unfolded stays so. */
function draw(panel, data) {
  const content = byId('content')
  const key = content.contains(document.activeElement) ? document.activeElement.dataset.key : undefined
  const unfolded = [...content.querySelectorAll('details')].map((one) => one.open)
  content.replaceChildren(
    h('div', { class: 'panelhead' }, h('h2', { id: 'paneltitle' }, panel.title), panel.hint === undefined ? null : h('span', { class: 'hint' }, panel.hint)),
    ...panel.view(data))
  content.setAttribute('aria-labelledby', 'paneltitle')
  content.dataset.panel = panel.id
  content.querySelectorAll('details').forEach((one, index) => { one.open = unfolded[index] ?? false })
  if (key !== undefined) content.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus()
}

function drawFrame() {
  const { id } = current()
  byId('panels').replaceChildren(...panels.map((panel, index) => h('a', {
    href: `#${panel.id}`, 'aria-current': panel.id === id ? 'page' : undefined, 'aria-keyshortcuts': String((index + 1) % 10),
  }, panel.title, h('span', { class: 'count' }, countOf(panel)))))
  if (status === undefined) return
  const facts = [['Height', number(status.height)], ['Block time', moment(status.blockTime)], ['Blocks', status.blocks.mode],
    ['Chain', `${status.chainId} · ${status.evmChainId}`], ['Scenario', status.scenario.name]]
  byId('facts').replaceChildren(...facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, String(value)))))
  const { problems } = status
  byId('problems').hidden = problems.length === 0
  byId('problems').replaceChildren(...problems.flatMap(({ source, text }) => [h('strong', {}, `${source} was not taken; what it said before counts.`), h('pre', {}, text)]))
  document.title = `${number(status.height)} · chainstage${session === '' ? '' : ` · ${session}`}`
}

function countOf({ count }) {
  const shown = status === undefined ? undefined : count?.(status)
  return shown === undefined || shown === 0 ? '' : typeof shown === 'number' ? number(shown) : shown
}

function listen() {
  const source = new EventSource(liveUrl)
  const link = byId('link')
  const be = (text, kind) => { link.textContent = text; link.className = `pill ${kind}` }
  source.addEventListener('changed', (event) => {
    const before = status?.instanceId
    status = JSON.parse(event.data)
    if (before !== undefined && before !== status.instanceId) say('The chain was started anew.')
    be('live', 'good')
    drawFrame()
    refresh()
  })
  source.addEventListener('error', () => be('not reachable', 'bad'))
}

function themes() {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const root = document.documentElement
  const stored = localStorage.getItem('theme')
  if (stored === 'dark' || stored === 'light') root.dataset.theme = stored
  byId('theme').addEventListener('click', () => {
    const isDark = (root.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark'
    root.dataset.theme = isDark ? 'light' : 'dark'
    localStorage.setItem('theme', root.dataset.theme)
  })
}

controls(openMore)
themes()
drawFrame()
listenToKeys(show)
byId('help').addEventListener('click', openKeys)
byId('detailclose').addEventListener('click', close)
byId('detail').addEventListener('click', (event) => { if (event.target === byId('detail')) close() })
window.addEventListener('hashchange', () => { drawFrame(); refresh() })
listen()
listSessions(byId('sessionbox'), byId('session')).catch((error) => say(error.message, true))
