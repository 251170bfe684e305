// One panel a concept: what it reads, how it looks, and what to do while there is nothing.
import { get, post, remove } from './api.js'
import { blockTimes, chart, gasOf, latencies, requestRates } from './charts.js'
import { openBlock, openExchange, openTransaction } from './details.js'
import { h, pill, table } from './dom.js'
import { gwei, milliseconds, moment, number, short, tokens } from './format.js'
import { loadSaved, openSave } from './more.js'
import { scenario } from './scenario.js'
import { openFaucet, openFault, run } from './actions.js'

const code = (text) => h('code', {}, text)
const link = (key, text, open, title) => h('button', { class: 'link', type: 'button', 'data-key': key, title, click: open }, text)
const heightLink = (height) => link(`block-${height}`, number(height), () => openBlock(height))
const address = (text) => text === null ? null : h('span', { class: 'mono', title: text }, short(text))

function blockTable(rows) {
  return table({ label: 'Blocks', rows, empty: ['No block yet', 'Press ', h('kbd', {}, 'm'), ' to make one, or send a transaction.'], columns: [
    { title: 'Height', class: 'num', show: ({ height }) => heightLink(height) },
    { title: 'Block time (UTC)', show: ({ time }) => moment(time) },
    { title: 'Transactions', class: 'num', show: ({ transactions }) => number(transactions) },
    { title: 'Gas used', class: 'num', show: ({ gasUsed }) => number(gasUsed) },
    { title: 'Base fee (gwei)', class: 'num', show: ({ baseFee }) => baseFee === null ? null : gwei(baseFee) },
    { title: 'Hash', class: 'mono', show: ({ hash }) => h('span', { title: hash }, short(hash)) },
  ] })
}

function transactionTable(rows) {
  return table({ label: 'Transactions', rows, empty: ['No transaction yet', 'Point a wallet or a test at interface A or B; both appear here.'], columns: [
    { title: 'Hash', class: 'mono', show: ({ hash, ethHash }) => {
      const shown = ethHash ?? hash
      return link(`tx-${shown}`, short(shown), () => openTransaction(shown), shown)
    } },
    { title: 'Result', show: ({ ok, error }) => ok ? pill('ok', 'good') : h('span', { title: error }, pill('failed', 'bad')) },
    { title: 'Kind', show: ({ kind }) => kind },
    { title: 'Block', class: 'num', show: ({ height }) => heightLink(height) },
    { title: 'From', show: ({ from }) => address(from) },
    { title: 'To', show: ({ to, creates }) => to === null && creates !== null ? 'new contract' : address(to) },
    { title: 'Value', class: 'num', show: ({ wei }) => wei === null ? null : tokens(wei) },
    { title: 'Gas', class: 'num', show: ({ gasUsed }) => number(gasUsed) },
    { title: 'Logs', class: 'num', show: ({ logs }) => number(logs) },
  ] })
}

const overview = {
  id: 'overview', title: 'Overview',
  load: async () => {
    const [status, blocks, transactions, journal] = await Promise.all([
      get('/status'), get('/blocks?limit=61'), get('/transactions?limit=8'), get('/journal?limit=500')])
    return { status, blocks, transactions, journal }
  },
  view: ({ status, blocks, transactions, journal: { recent } }) => [
    h('div', { class: 'charts' },
      chart({ id: 'time', title: 'Block time', unit: 'seconds a block', points: blockTimes(blocks), show: (value) => `${number(value)} s` }),
      chart({ id: 'gas', title: 'Gas', unit: 'used by each block', points: gasOf(blocks.slice(0, 60)), show: number }),
      chart({ id: 'requests', title: 'Requests', unit: 'in each second', points: requestRates(recent, status.simulationMs), show: number }),
      chart({ id: 'latency', title: 'Latency', unit: 'of each request', points: latencies(recent), show: milliseconds })),
    h('h3', {}, 'Newest blocks'), blockTable(blocks.slice(0, 8)),
    h('h3', {}, 'Newest transactions'), transactionTable(transactions),
    h('h3', {}, 'Addresses'), addresses(status.urls),
  ],
}

function addresses(urls) {
  const named = [['Interface A: CometBFT RPC', urls.comet], ['its WebSocket', urls.cometWs], ['Interface B: JSON-RPC', urls.eth],
    ['its WebSocket', urls.ethWs], ['Control API', urls.control && `${urls.control}/api`]]
  return table({ label: 'Addresses', rows: named.filter(([, url]) => url), empty: ['Nothing is open', 'This chain is used inside its program.'], columns: [
    { title: 'What', show: ([what]) => what }, { title: 'Where', class: 'mono', show: ([, url]) => url },
  ] })
}

const blocks = { id: 'blocks', title: 'Blocks', load: () => get('/blocks?limit=100'), view: (rows) => [blockTable(rows)], count: ({ height }) => height }

const transactions = { id: 'transactions', title: 'Transactions', load: () => get('/transactions?limit=100'), view: (rows) => [transactionTable(rows)] }

const accounts = {
  id: 'accounts', title: 'Accounts', hint: 'The node holds their keys, and everybody knows them.',
  load: () => get('/accounts'),
  view: (rows) => [table({ label: 'Accounts', rows, empty: ['No accounts', 'Start with ', code('--accounts 10'), '.'], columns: [
    { title: 'Name', show: ({ name }) => name },
    { title: 'Ethereum', class: 'mono', show: ({ ethereum }) => ethereum },
    { title: 'Cosmos', class: 'mono', show: ({ cosmos }) => h('span', { title: cosmos }, short(cosmos, 14, 6)) },
    { title: 'Balance', class: 'num', show: ({ wei }) => h('span', { title: `${wei} wei` }, tokens(wei)) },
    { title: 'Nonce', class: 'num', show: ({ nonce }) => number(nonce) },
    { title: '', show: ({ name, ethereum }) => link(`fund-${name}`, 'Fund', () => openFaucet(ethereum)) },
  ] })],
}

const mempool = {
  id: 'mempool', title: 'Mempool', load: () => get('/mempool'), count: ({ waiting }) => waiting,
  view: (rows) => [table({ label: 'Mempool', rows, empty: ['Nothing waits', 'Every transaction is in a block. With ', code('--blocks manual'), ' they wait here until you mine.'], columns: [
    { title: 'Hash', class: 'mono', show: ({ hash, ethHash }) => h('span', { title: ethHash ?? hash }, short(ethHash ?? hash)) },
    { title: 'State', show: ({ state }) => pill(state, state === 'pending' ? 'good' : 'warn') },
    { title: 'Kind', show: ({ kind }) => kind }, { title: 'Sender', show: ({ sender }) => address(sender) },
    { title: 'Nonce', class: 'num', show: ({ nonce }) => nonce }, { title: 'Gas wanted', class: 'num', show: ({ gasWanted }) => number(gasWanted) },
    { title: 'Fee cap (gwei)', class: 'num', show: ({ feeCap }) => feeCap === null ? null : gwei(feeCap) },
  ] })],
}

const subscriptions = {
  id: 'subscriptions', title: 'Subscriptions', load: () => get('/subscriptions'), count: ({ connections }) => connections,
  view: ({ connections, filters }) => [
    table({ label: 'Connections', rows: connections, empty: ['Nobody listens', 'Open a WebSocket: /websocket on interface A, or eth_subscribe on interface B.'], columns: [
      { title: 'Connection', class: 'num', show: ({ connection }) => connection }, { title: 'Interface', show: ({ side }) => side === 'comet' ? 'A' : 'B' },
      { title: 'From', class: 'mono', show: ({ remote }) => remote },
      { title: 'Listens to', class: 'mono wrap', show: ({ listens }) => listens.length === 0 ? 'nothing yet' : listens.join('; ') },
    ] }),
    h('h3', {}, 'Polled filters'),
    table({ label: 'Filters', rows: filters, empty: ['No filter is installed', 'eth_newFilter makes one.'], columns: [
      { title: 'Id', class: 'mono', show: ({ id }) => id }, { title: 'Kind', show: ({ kind }) => kind },
    ] }),
  ],
}

const checkpoints = {
  id: 'checkpoints', title: 'Checkpoints', hint: 'Going back to one forgets it and all younger ones.',
  load: async () => ({ rows: await get('/checkpoints'), saved: await get('/checkpoints/saved') }),
  view: ({ rows, saved }) => [table({ label: 'Checkpoints', rows, empty: ['No checkpoint', 'Press ', h('kbd', {}, 'c'), ' to remember the chain as it is.'], columns: [
    { title: 'Id', class: 'mono', show: ({ id }) => id }, { title: 'Height', class: 'num', show: ({ height }) => number(height) },
    { title: 'Block time (UTC)', show: ({ time }) => moment(time) }, { title: 'Waiting', class: 'num', show: ({ waiting }) => number(waiting) },
    { title: '', show: ({ id }) => link(`restore-${id}`, 'Restore', () => run(post('/restore', { id }), ({ height }) => `Back at height ${height}.`)) },
  ] }),
  h('h3', {}, 'In files ', link('save', 'Save…', openSave)),
  table({ label: 'Saved checkpoints', rows: saved, empty: ['Nothing is saved', 'A file holds the whole node and outlives the process.'], columns: [
    { title: 'Name', class: 'mono', show: ({ name }) => name }, { title: 'Height', class: 'num', show: ({ height }) => height ?? null },
    { title: 'Chain', show: ({ chainId }) => chainId ?? null }, { title: 'Of chainstage', show: ({ version, problem }) => problem ?? version },
    { title: '', show: ({ name, problem }) => problem === undefined ? link(`load-${name}`, 'Load', () => loadSaved(name)) : null },
  ] })],
}

const faults = {
  id: 'faults', title: 'Faults', load: () => get('/faults'), count: ({ faults: count }) => count,
  view: ({ active, available, masked }) => [
    table({ label: 'Active faults', rows: active, empty: ['Nothing goes wrong on purpose', 'Turn on a fault of the scenario below, or describe one.'], columns: [
      { title: 'Name', show: ({ name }) => name }, { title: 'Matched', class: 'num', show: ({ matched }) => number(matched) },
      { title: 'Hit', class: 'num', show: ({ applied }) => number(applied) },
      { title: 'Masked', class: 'num', show: ({ masked: hidden }) => hidden === 0 ? null : pill(number(hidden), 'warn') },
      { title: 'Until', show: ({ untilMs, untilHeight }) => untilHeight !== null ? `height ${untilHeight}` : untilMs !== null ? milliseconds(untilMs) : 'turned off' },
      { title: 'Rule', class: 'mono wrap', show: ({ rule }) => ruleText(rule) },
      { title: '', show: ({ name }) => link(`off-${name}`, 'Turn off', () => run(remove(`/faults/${encodeURIComponent(name)}`), () => `"${name}" is off.`)) },
    ] }),
    h('h3', {}, 'Of the scenario'),
    table({ label: 'Faults of the scenario', rows: available, empty: ['The scenario has no other faults', 'Describe one: ', link('describe', 'new fault', () => openFault())], columns: [
      { title: 'Name', show: ({ name }) => name }, { title: 'Hit before', class: 'num', show: ({ applied }) => number(applied) },
      { title: 'Rule', class: 'mono wrap', show: ({ rule }) => ruleText(rule) },
      { title: '', show: ({ name }) => link(`on-${name}`, 'Turn on', () => run(post('/faults', { name }), () => `"${name}" is on.`)) },
    ] }),
    h('h3', {}, 'Masked: nobody noticed them'),
    table({ label: 'Masked faults', rows: masked.slice(-20).reverse(), empty: ['No fault was masked', 'One is when a client tried again and was answered: its test saw nothing go wrong.'], columns: [
      { title: 'At', class: 'num', show: ({ timeMs }) => milliseconds(timeMs) }, { title: 'What', class: 'wrap', show: ({ text }) => text },
    ] }),
  ],
}

function ruleText({ match, effects, select }) {
  const on = Object.entries(match).map(([key, value]) => `${key} ${[value].flat().join(', ')}`).join('; ') || 'every call'
  return `${on} → ${effects.map(({ type, ...rest }) => `${type} ${Object.values(rest).filter((one) => typeof one !== 'object').join(' ')}`).join(', ')}${select.type === 'all' ? '' : ` (${select.type})`}`
}

const journal = {
  id: 'journal', title: 'Journal', hint: 'What clients asked, newest first, with the time that answering took.',
  load: () => get('/journal?limit=200'), count: ({ calls }) => calls,
  view: ({ recent }) => [table({ label: 'Journal', rows: recent, empty: ['Nobody has called yet', 'Requests of both interfaces appear here with their answers.'], columns: [
    { title: 'No.', class: 'num', show: ({ seq }) => seq }, { title: 'Interface', show: ({ side }) => side === 'comet' ? 'A' : 'B' },
    { title: 'Method', class: 'mono', show: ({ seq, method }) => link(`call-${seq}`, method, () => openExchange(seq)) },
    { title: 'Result', show: ({ outcome }) => pill(outcome, { ok: 'good', error: 'bad', fault: 'warn', owed: 'warn' }[outcome]) },
    { title: 'Faults', show: ({ faults: names }) => names.join(', ') || null },
    { title: 'Over', show: ({ transport }) => transport }, { title: 'HTTP', class: 'num', show: ({ status }) => status },
    { title: 'Took', class: 'num', show: ({ tookMs }) => milliseconds(tookMs) },
    { title: 'At', class: 'num', show: ({ timeMs }) => milliseconds(timeMs) },
  ] })],
}

/** In the order of their keys, 1 to 9 and 0. */
export const panels = [overview, blocks, transactions, accounts, mempool, subscriptions, checkpoints, faults, scenario, journal]
