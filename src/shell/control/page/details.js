// What opens on top of the page: one block, one transaction, one exchange.
import { get } from './api.js'
import { byId, fields, folded, h, json, pill, table } from './dom.js'
import { gwei, milliseconds, moment, number, short, tokens } from './format.js'

/** Opens the dialog with a title and some content; what had the focus gets it back. */
export function open(title, ...content) {
  byId('detailtitle').textContent = title
  byId('detailbody').replaceChildren(...content)
  if (!byId('detail').open) byId('detail').showModal()
  byId('detailbody').querySelector('input, textarea, select')?.focus()
}

export function close() {
  byId('detail').close()
}

async function load(path, show) {
  try {
    show(await get(path))
  } catch (error) {
    open('Not there', h('p', {}, error.message))
  }
}

const link = (text, click) => h('button', { class: 'link', type: 'button', click }, text)
const mono = (text) => text === null ? null : h('span', { class: 'mono' }, text)

export function openBlock(height) {
  return load(`/blocks/${height}`, (block) => open(`Block ${number(block.height)}`,
    fields([
      ['Block time', `${moment(block.time)} UTC`], ['Hash on both sides', mono(block.hash)],
      ['Proposer', mono(block.proposer)], ['App hash', mono(block.appHash)],
      ['Gas', `${number(block.gasUsed)} of ${number(block.gasLimit)}`], ['Base fee', block.baseFee === null ? null : `${gwei(block.baseFee)} gwei`],
      ['Size', `${number(block.sizeBytes)} bytes`],
    ]),
    h('h3', {}, 'Transactions'),
    table({ label: 'Transactions of the block', rows: block.list, empty: ['An empty block', 'Nothing waited when it was made.'], columns: [
      { title: 'No.', class: 'num', show: ({ index }) => index },
      { title: 'Hash', class: 'mono', show: ({ hash, ethHash }) => link(short(ethHash ?? hash), () => openTransaction(ethHash ?? hash)) },
      { title: 'Kind', show: ({ kind }) => kind }, { title: 'Result', show: ({ ok }) => pill(ok ? 'ok' : 'failed', ok ? 'good' : 'bad') },
      { title: 'Gas', class: 'num', show: ({ gasUsed }) => number(gasUsed) },
    ] }),
    folded('Interface B: eth_getBlockByNumber', block.ethereum), folded('Interface A: block', block.comet), folded('Interface A: block_results', block.results)))
}

export function openTransaction(hash) {
  return load(`/transactions/${hash}`, (tx) => open('Transaction',
    fields([
      ['Result', pill(tx.ok ? 'ok' : tx.error, tx.ok ? 'good' : 'bad')], ['Ethereum hash', mono(tx.ethHash)], ['Comet hash', mono(tx.hash)],
      ['Block', link(number(tx.height), () => openBlock(tx.height))], ['From', mono(tx.from)], ['To', mono(tx.to)], ['Creates', mono(tx.creates)],
      ['Value', tx.wei === null ? null : tokens(tx.wei)], ['Gas', `${number(tx.gasUsed)} of ${number(tx.gasWanted)}`],
    ]),
    h('h3', {}, 'Logs'), ...logs(tx.decodedLogs),
    h('h3', {}, 'Events on interface A'),
    table({ label: 'Events', rows: tx.cosmosEvents, empty: ['No events'], columns: [
      { title: 'Type', show: ({ type }) => type },
      { title: 'Attributes', class: 'mono wrap', show: ({ attributes }) => attributes.map(({ key, value }) => `${key}=${value}`).join('  ') },
    ] }),
    folded('Interface B: eth_getTransactionByHash', tx.ethereum), folded('Interface B: eth_getTransactionReceipt', tx.receipt), folded('Interface A: tx', tx.comet)))
}

function logs(list) {
  return [table({ label: 'Logs', rows: list, empty: ['No logs'], columns: [
    { title: 'No.', class: 'num', show: ({ index }) => index },
    { title: 'Event', class: 'wrap', show: ({ decoded, topics }) => decoded === null ? mono(topics[0] ?? 'anonymous') : `${decoded.event}(${decoded.args.map(({ name, value }) => `${name} ${value}`).join(', ')})` },
    { title: 'Contract', class: 'mono', show: ({ address }) => h('span', { title: address }, short(address)) },
  ] }), ...(list.length === 0 ? [] : [folded('As on the wire', list.map(({ address, topics, data }) => ({ address, topics, data })))])]
}

export function openExchange(seq) {
  return load(`/journal/${seq}`, (one) => open(`Request ${one.seq}`,
    fields([
      ['Interface', one.side === 'comet' ? 'A: CometBFT RPC' : 'B: JSON-RPC'], ['Over', `${one.transport} ${one.target}`],
      ['Arrived at', milliseconds(one.timeMs)], ['Took', one.tookMs === undefined ? 'still owed' : milliseconds(one.tookMs)],
      ['HTTP status', one.status], ['Faults', one.calls.flatMap(({ faults }) => faults).join(', ') || null],
    ]),
    h('h3', {}, 'Request'), json(one.request), h('h3', {}, 'Answer'), one.answer === undefined ? h('p', {}, 'Not answered yet.') : json(one.answer)))
}
