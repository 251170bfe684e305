/**
 * The recorded session played on the recorded genesis: what blocks hold is what the node's held.
 */
import test from 'ava'
import type { TxResult } from '../../../src/app/abci.ts'
import { golden } from '../../golden.ts'
import { startChain } from '../../helpers/evmdChain.ts'

type Recorded = {
  readonly code: number
  readonly log: string
  readonly gas_wanted: string
  readonly gas_used: string
  readonly data: string | null
  readonly events: readonly {
    type: string
    attributes: readonly { key: string; value: string }[]
  }[]
}

const session = golden<{
  readonly txs: Readonly<Record<string, { readonly bytes: string }>>
  readonly steps: readonly (readonly (readonly [string, string])[])[]
}>('session.json')
const answers =
  golden<
    Record<
      string,
      {
        body: { result?: { tx_result?: Recorded; response?: unknown } }
      }
    >
  >('want/a-txs.json')
const refusals = golden<Record<string, { body: { result?: Recorded } }>>('want/a-mempool.json')
const document = JSON.stringify(golden<unknown>('genesis.json'))

const bytes = (name: string): Uint8Array => Buffer.from(session.txs[name]?.bytes ?? '', 'base64')

function nodeChain() {
  const chain = startChain({ document, settings: { evmChainId: 262_144, mempoolMaxTxs: -1 } })
  for (let i = 0; i < 6; i++) chain.block()
  return chain
}

const wanted = (name: string): Recorded | undefined =>
  answers[`tx {"hash":"\${cometHashB64:${name}}"}`]?.body.result?.tx_result

function shown({ type, attributes }: Recorded['events'][number]): string {
  return `${type} ${attributes.map(({ key, value }) => `${key}=${value}`).join(' ')}`
}

/** Values that the recording found to vary (`${~…}`) stand for any text. */
function matches(pattern: string, text: string): boolean {
  const parts = pattern.split(/\$\{~[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text)
}

function differences(name: string, got: TxResult, want: Recorded): string[] {
  const pairs: [string, string][] = [
    [String(want.code), String(got.code)],
    [want.log, got.log],
    [want.gas_used, String(got.gasUsed)],
    [want.gas_wanted, String(got.gasWanted)],
    [String(want.events.length), String(got.events.length)],
    ...want.events.map((event, at): [string, string] => {
      const own = got.events[at]
      return [shown(event), own === undefined ? '' : shown(own)]
    }),
  ]
  const length = /^\$\{~b64:(\d+)\}$/.exec(want.data ?? '')?.[1]
  if (length !== undefined) pairs.push([length, String(got.data?.length)])
  return pairs.filter(([pattern, text]) => !matches(pattern, text)).map(([a, b]) => `${name}: ${a} | ${b}`)
}

// Messages of modules that the application does not have, and what follows on their sequences.
const withoutModule = new Set([
  'delegate',
  'propose',
  'feegrant',
  'authzGrant',
  'vote',
  'bankSendCommit',
  'bankSendFails',
  'cosmosOutOfGas',
])

test('transactions of the session have the gas, texts, events and data lengths of the node', (t) => {
  const chain = nodeChain()
  const found: string[] = []
  let compared = 0
  for (const step of session.steps) {
    const names = step.map(([name]) => name).filter((name) => !withoutModule.has(name))
    const admitted = names.filter((name) => {
      const { state, result } = chain.application.checkTx(chain.state, bytes(name), 'new')
      chain.state = state
      return result.code === 0
    })
    const { txResults } = chain.block(...admitted.map(bytes))
    admitted.forEach((name, at) => {
      const got = txResults[at]
      const want = wanted(name)
      if (got === undefined || want === undefined) return
      compared += 1
      found.push(...differences(name, got, want))
    })
  }
  t.deepEqual(found, [])
  t.true(compared >= 14, `${compared} compared`)
})

const refused = test.macro((t, name: string) => {
  const want = refusals[`check_tx: ${name}`]?.body.result
  t.truthy(want)
  if (want === undefined) return
  const { result } = nodeChain().application.checkTx(nodeChain().state, bytes(name), 'new')
  t.is(result.code, want.code)
  t.regex(
    result.log,
    new RegExp(
      `^${want.log
        .split(/\$\{~[^}]*\}/)
        .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('\\d+')}$`,
    ),
  )
  t.is(String(result.gasWanted), want.gas_wanted)
  if (/^\d+$/.test(want.gas_used)) t.is(String(result.gasUsed), want.gas_used)
})

// Those whose text does not depend on what the session did before.
for (const name of [
  'badNoAccount',
  'badChainId',
  'badChainIdDynamic',
  'badIntrinsic',
  'badIntrinsicData',
  'badIntrinsicCreate',
  'badFloor',
  'badInitCode',
  'badSetCodeEmpty',
  'badTip',
  'badBlob',
  'badFee',
  'badNoFee',
  'badGas',
  'badSigner',
  'badEthRoute',
  'badUnknownType',
])
  test(`${name} is refused in the node's words`, refused, name)

test('block 2 mints and has the base fee of the node, the genesis transaction included', (t) => {
  const chain = startChain({ document, settings: { evmChainId: 262_144, mempoolMaxTxs: -1 } })
  chain.block()
  const { events } = chain.block()
  const value = (type: string, key: string): string | undefined =>
    events.find((event) => event.type === type)?.attributes.find((each) => each.key === key)?.value
  t.is(value('coinbase', 'amount'), '2059808792070672274atest')
  t.is(value('fee_market', 'base_fee'), '767812500.000000000000000000')
})
