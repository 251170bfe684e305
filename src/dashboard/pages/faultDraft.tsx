/** The fields of the form for a new fault, and the rule that they describe. */
import JSON5 from 'json5'

export type Drafted = {
  readonly method: string
  readonly iface: string
  readonly transport: string
  readonly params: string
  readonly effect: string
  readonly amount: string
  readonly select: string
  readonly count: string
}

/** The fields of a new form. */
export const first: Drafted = {
  method: 'eth_*',
  iface: 'eth',
  transport: '',
  params: '',
  effect: 'latency',
  amount: '200ms',
  select: 'all',
  count: '',
}

type Effect = {
  readonly title: string
  /** The name of the amount's field, and its first value; absent if the effect has no amount. */
  readonly amount?: readonly [string, string]
  readonly rule: (amount: string) => unknown
}

/** Effects by their key in scenario files. */
const effects: Readonly<Record<string, Effect>> = {
  latency: { title: 'delay the response', amount: ['Delay', '200ms'], rule: (text) => text },
  rpcError: {
    title: 'JSON-RPC error',
    amount: ['Code', '-32005'],
    rule: (text) => ({ code: Number(text), message: 'limit exceeded' }),
  },
  http: { title: 'HTTP status', amount: ['Status', '503'], rule: (text) => ({ status: Number(text) }) },
  grpc: { title: 'gRPC status', amount: ['Status', 'UNAVAILABLE'], rule: (text) => text },
  provider: { title: 'refusal of a node provider', amount: ['Provider', 'infura'], rule: (text) => text },
  hang: { title: 'never respond', rule: () => true },
  timeout: { title: 'close without a response', amount: ['After', '5s'], rule: (text) => text },
  nullResult: { title: 'null result', rule: () => true },
  stale: { title: 'answer from an older state', amount: ['Lag', '2 blocks'], rule: (text) => ({ lag: text }) },
  indexLag: { title: 'delay receipts, logs and searches', amount: ['Lag', '2 blocks'], rule: (text) => text },
  empty: { title: 'empty body', rule: () => true },
  truncate: { title: 'truncate the response', rule: () => true },
  malformed: { title: 'malformed response', amount: ['Kind', 'json'], rule: (text) => text },
  bandwidth: { title: 'slow body', amount: ['Bytes per second', '1000'], rule: (text) => Number(text) },
  reset: { title: 'reset the connection', amount: ['When', 'midBody'], rule: (text) => text },
  refuse: { title: 'refuse connections', rule: () => true },
  cors: { title: 'CORS headers', amount: ['keep or strip', 'strip'], rule: (text) => text },
}

type Selection = {
  readonly title: string
  /** The name of the number's field, and its first value. */
  readonly count: readonly [string, string]
  readonly rule: (count: string) => unknown
}

const selections: Readonly<Record<string, Selection>> = {
  first: { title: 'the first N', count: ['How many', '1'], rule: (count) => ({ count: Number(count) }) },
  later: { title: 'all after the first N', count: ['How many', '1'], rule: (count) => ({ skip: Number(count) }) },
  share: { title: 'a share', count: ['Share', '1/5'], rule: (count) => ({ probability: count }) },
  rate: {
    title: 'above N per second',
    count: ['Per second', '1'],
    rule: (count) => ({ rate: { limit: Number(count), per: '1s' } }),
  },
}

/** Returns a scenario rule as JSON5 from the form's fields. */
export function ruleOf({ method, iface, transport, params, effect, amount, select, count }: Drafted): string {
  const selection = selections[select]
  const rule = {
    match: {
      ...(iface === '' ? {} : { iface }),
      ...(transport === '' ? {} : { transport }),
      ...(method === '' ? {} : { method }),
      ...(params === '' ? {} : { params: readJson5(params) }),
    },
    ...(selection === undefined ? {} : { select: selection.rule(count) }),
    effect: { [effect]: effects[effect]?.rule(amount) ?? true },
  }
  return JSON5.stringify(rule, null, 2)
}

/** Returns the value of a JSON5 text, or the text if it is none: the check of the rule names the problem. */
function readJson5(text: string): unknown {
  try {
    return JSON5.parse(text)
  } catch {
    return text
  }
}

const interfaces: readonly (readonly [string, string])[] = [
  ['eth', 'Ethereum JSON-RPC'],
  ['comet', 'CometBFT RPC'],
  ['rest', 'Cosmos REST'],
  ['grpc', 'gRPC'],
  ['', 'all'],
]
const transports: readonly (readonly [string, string])[] = [
  ['', 'all'],
  ['http', 'HTTP'],
  ['ws', 'WebSocket'],
]

type Changing = { readonly draft: Drafted; readonly change: (part: Partial<Drafted>) => void }

/** The fields that write the rule. */
export function DraftFields({ draft, change }: Changing) {
  const text = (title: string, key: keyof Drafted, placeholder = '') => (
    <label>
      {title}
      <input
        value={draft[key]}
        placeholder={placeholder}
        spellcheck={false}
        onInput={({ currentTarget: { value } }) => change({ [key]: value })}
      />
    </label>
  )
  const choice = (title: string, key: keyof Drafted, options: readonly (readonly [string, string])[]) => (
    <label>
      {title}
      <select value={draft[key]} onChange={({ currentTarget: { value } }) => change(changeOf(key, value))}>
        {options.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
  const amount = effects[draft.effect]?.amount
  const selection = selections[draft.select]
  return (
    <>
      {choice('Interface', 'iface', interfaces)}
      {choice('Transport', 'transport', transports)}
      {text('Method (with *)', 'method')}
      {text('Parameters (JSON5)', 'params', "[{ to: '0x…' }]")}
      {choice('Effect', 'effect', titlesOf(effects))}
      {amount === undefined ? null : text(amount[0], 'amount')}
      {choice('Requests', 'select', [['all', 'all'], ...titlesOf(selections)])}
      {selection === undefined ? null : text(selection.count[0], 'count')}
    </>
  )
}

function titlesOf(table: Readonly<Record<string, { readonly title: string }>>) {
  return Object.entries(table).map(([id, { title }]) => [id, title] as const)
}

/** Returns the change of a choice; another effect brings its own amount, another selection its own number. */
function changeOf(key: keyof Drafted, value: string): Partial<Drafted> {
  if (key === 'effect') return { effect: value, amount: effects[value]?.amount?.[1] ?? '' }
  return key === 'select' ? { select: value, count: selections[value]?.count[1] ?? '' } : { [key]: value }
}
