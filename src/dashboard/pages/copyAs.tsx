/** A transaction as code that sends it again. */
import { useMemo } from 'preact/hooks'
import type { FullStatus, FullTx } from '../core/shapes.ts'
import { useData } from '../core/useData.ts'
import { Copy, Json } from '../parts/basics.tsx'

type Request = Readonly<Record<string, string>>
type Urls = FullStatus['urls']
type Forms = readonly (readonly [string, string])[]

/** Returns the transaction in the form of `eth_sendTransaction`, without empty members. */
export function sendRequestOf({ from, to, wei, input, gasWanted }: FullTx): Request {
  return {
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
    ...(wei === null || wei === '0' ? {} : { value: `0x${BigInt(wei).toString(16)}` }),
    ...(input === null || input === '0x' ? {} : { data: input }),
    gas: `0x${gasWanted.toString(16)}`,
  }
}

const posting = (url: string | undefined, method: string, params: unknown) =>
  `curl -s ${url ?? ''} -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}'`

function ethereumForms(tx: FullTx, urls: Urls): Forms {
  const { from, to, value, data } = sendRequestOf(tx)
  const wei = tx.wei ?? '0'
  const members = [
    `account: '${from}'`,
    ...(to === undefined ? [] : [`to: '${to}'`]),
    ...(value === undefined ? [] : [`value: ${wei}n`]),
    ...(data === undefined ? [] : [`data: '${data}'`]),
    `gas: ${tx.gasWanted}n`,
  ]
  const flags = [
    `--rpc-url ${urls['eth']}`,
    `--unlocked --from ${from}`,
    `--gas-limit ${tx.gasWanted}`,
    ...(value === undefined ? [] : [`--value ${wei}`]),
  ]
  const target = to === undefined ? `--create ${data ?? '0x'}` : `${to} ${data ?? ''}`
  return [
    ['viem', `await client.sendTransaction({\n  ${members.join(',\n  ')},\n})`],
    ['cast', `cast send ${flags.join(' ')} ${target}`.trim()],
    ['curl', posting(urls['eth'], 'eth_sendTransaction', [sendRequestOf(tx)])],
    ['scenario step', stepOf(tx)],
  ]
}

/**
 * Returns a scenario step for the transaction. It allows a failed one to fail again, and writes a
 * contract creation as a named deployment.
 */
function stepOf(tx: FullTx): string {
  const { from, to, value, data } = sendRequestOf(tx)
  const members = [
    `from: '${from}'`,
    ...(to === undefined ? [`bytecode: '${data ?? '0x'}'`, "as: 'contract'"] : [`to: '${to}'`]),
    ...(value === undefined ? [] : [`value: '${tx.wei} wei'`]),
    ...(to === undefined || data === undefined ? [] : [`data: '${data}'`]),
    `gas: ${tx.gasWanted}`,
    ...(tx.ok ? [] : ['allowRevert: true']),
  ]
  return `{ do: { ${to === undefined ? 'deploy' : 'sendTx'}: { ${members.join(', ')} } } }`
}

function cosmosForms({ raw, hash, cosmjs }: FullTx, urls: Urls): Forms {
  const pairs = raw.slice(2).match(/../g) ?? []
  const bytes = btoa(pairs.map((pair) => String.fromCharCode(Number.parseInt(pair, 16))).join(''))
  const needsBytes = cosmjs?.includes('fromBase64(') === true
  const head = needsBytes ? "import { fromBase64 } from '@cosmjs/encoding'\n\n" : ''
  return [
    ...(cosmjs === null
      ? []
      : ([['CosmJS, new signature', `${head}await client.signAndBroadcast(sender, ${cosmjs}, 'auto')`]] as const)),
    [
      'CosmJS, same bytes',
      `import { fromBase64 } from '@cosmjs/encoding'\n\nawait client.broadcastTx(fromBase64('${bytes}'))`,
    ],
    ['curl, same bytes', posting(urls['comet'], 'broadcast_tx_sync', { tx: bytes })],
    ['curl, query', `curl -s '${urls['comet']}/tx?hash=0x${hash}'`],
  ]
}

function formsOf(tx: FullTx, urls: Urls): Forms {
  return [...(tx.ethHash === null ? [] : ethereumForms(tx, urls)), ...cosmosForms(tx, urls)]
}

export function CopyAs({ tx }: { tx: FullTx }) {
  const { data } = useData<FullStatus>('/status', false)
  const urls = data?.urls
  // The page is drawn again with every block, which changes none of these texts.
  const forms = useMemo(() => (urls === undefined ? [] : formsOf(tx, urls)), [tx, urls])
  if (urls === undefined) return null
  return (
    <div class="stack" id="copyas">
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
