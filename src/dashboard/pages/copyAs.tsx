/** A transaction as code that sends it again. */
import type { FullTx } from '../core/shapes.ts'
import { Copy, Json } from '../parts/basics.tsx'

type Request = Readonly<Record<string, string>>

/** Returns the transaction as `eth_sendTransaction` takes it; empty members are left out. */
export function requestOf({ from, to, wei, input, gasWanted }: FullTx): Request {
  return {
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
    ...(wei === null || wei === '0' ? {} : { value: `0x${BigInt(wei).toString(16)}` }),
    ...(input === null || input === '0x' ? {} : { data: input }),
    gas: `0x${gasWanted.toString(16)}`,
  }
}

function ethereumForms(tx: FullTx): readonly (readonly [string, string])[] {
  const { from, to, value, data, gas } = requestOf(tx)
  const wei = tx.wei ?? '0'
  const members = [
    `account: '${from}'`,
    ...(to === undefined ? [] : [`to: '${to}'`]),
    ...(value === undefined ? [] : [`value: ${wei}n`]),
    ...(data === undefined ? [] : [`data: '${data}'`]),
    `gas: ${BigInt(gas ?? '0x0')}n`,
  ]
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendTransaction', params: [requestOf(tx)] })
  const target = to === undefined ? `--create ${data ?? '0x'}` : `${to} ${data ?? ''}`
  const sends = [
    ...(to === undefined ? [] : [`to: '${to}'`]),
    ...(value === undefined ? [] : [`value: '${wei} wei'`]),
    ...(data === undefined ? [] : [`data: '${data}'`]),
  ]
  return [
    ['viem', `await client.sendTransaction({\n  ${members.join(',\n  ')},\n})`],
    ['cast', `cast send --unlocked --from ${from} ${value === undefined ? '' : `--value ${wei} `}${target}`.trim()],
    ['curl', `curl -s http://127.0.0.1:8545 -H 'Content-Type: application/json' \\\n  -d '${body}'`],
    ['scenario step', `{ do: { sendTx: { from: '${from}', ${sends.join(', ')} } } }`],
  ]
}

function cosmosForms({ raw, hash, cosmos }: FullTx): readonly (readonly [string, string])[] {
  const messages = cosmos.result?.tx.body.messages ?? []
  const list = messages.map(({ '@type': type, ...value }) => ({ typeUrl: type, value }))
  const bytes = btoa(String.fromCharCode(...(raw.slice(2).match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))))
  return [
    ['cosmjs', `await client.signAndBroadcast(sender, ${JSON.stringify(list, null, 2)}, 'auto')`],
    [
      'curl (the same bytes)',
      `curl -s http://127.0.0.1:26657 -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'broadcast_tx_sync',
        params: { tx: bytes },
      })}'`,
    ],
    ['curl (look it up)', `curl -s 'http://127.0.0.1:26657/tx?hash=0x${hash}'`],
  ]
}

export function CopyAs({ tx }: { tx: FullTx }) {
  const forms = tx.ethHash === null ? cosmosForms(tx) : [...ethereumForms(tx), ...cosmosForms(tx).slice(2)]
  return (
    <div class="stack">
      {forms.map(([name, text]) => (
        <details key={name}>
          <summary>{name}</summary>
          <Copy text={text} what={`the transaction as ${name}`} />
          <Json value={text} label={`The transaction as ${name}`} />
        </details>
      ))}
    </div>
  )
}
