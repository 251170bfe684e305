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
  count: '1',
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

/** Selections: title, name of the number's field, and the rule for a number. */
const selections: Readonly<Record<string, readonly [string, string, (count: string) => unknown]>> = {
  first: ['the first N', 'How many', (count) => ({ count: Number(count) })],
  later: ['all after the first N', 'How many', (count) => ({ skip: Number(count) })],
  share: ['a share (0 to 1)', 'Share', (count) => ({ probability: Number(count) })],
  rate: ['above N per second', 'Per second', (count) => ({ rate: { limit: Number(count), per: '1s' } })],
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
    ...(selection === undefined ? {} : { select: selection[2](count) }),
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
      {choice(
        'Effect',
        'effect',
        titlesOf(effects, ({ title }) => title),
      )}
      {amount === undefined ? null : text(amount[0], 'amount')}
      {choice('Requests', 'select', [['all', 'all'], ...titlesOf(selections, ([title]) => title)])}
      {selection === undefined ? null : text(selection[1], 'count')}
    </>
  )
}

function titlesOf<Row>(table: Readonly<Record<string, Row>>, titleOf: (row: Row) => string) {
  return Object.entries(table).map(([id, row]) => [id, titleOf(row)] as const)
}

/** Returns the change of a choice; another effect brings its own amount. */
function changeOf(key: keyof Drafted, value: string): Partial<Drafted> {
  return key === 'effect' ? { effect: value, amount: effects[value]?.amount?.[1] ?? '' } : { [key]: value }
}
