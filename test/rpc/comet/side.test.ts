import test from 'ava'
import type { Settings } from '../../../src/settings/settings.ts'
import { golden } from '../../golden.ts'
import { parse, toJson, write, type Json } from '../../golden/json.ts'
import { Symbols } from '../../golden/symbols.ts'
import { misses } from '../../golden/template.ts'
import { CometNode, replyOf } from '../../helpers/cometNode.ts'
import { bodyOf } from '../../helpers/goldenCases.ts'

type Case = {
  readonly name: string
  readonly via: string
  readonly request: unknown
  readonly path?: string
  readonly headers?: Readonly<Record<string, string | null>>
}
type Wanted = { readonly status?: number; readonly headers?: object; readonly body: unknown }

const faithful: Partial<Settings> = { quirks: ['faithful'] }

function casesOf(file: string): readonly (readonly [Case, Wanted])[] {
  const wanted = golden<Record<string, Wanted>>(`want/${file}.json`)
  return golden<readonly Case[]>(`cases/${file}.json`).flatMap((one) => {
    const want = wanted[one.name]
    return want === undefined ? [] : [[one, want] as const]
  })
}

function read(body: string): Json {
  try {
    return parse(body)
  } catch {
    return body
  }
}

const kept = new Set([
  'content-type',
  'cache-control',
  'x-content-type-options',
  'sec-websocket-version',
  'x-server-time',
])

/** What the application says is not this chain's: of results only that there is one is compared. */
function envelopeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(envelopeOf)
  if (typeof value !== 'object' || value === null || !('result' in value)) return value
  return { ...value, result: '${~any}' }
}

function ask(node: CometNode, { via, request, path, headers = {} }: Case): Json {
  const isPost = via === 'post'
  const type = 'content-type' in headers ? (headers['content-type'] ?? '') : isPost ? 'application/json' : ''
  // The client of the recording kept the fragment to itself.
  const [sent = ''] = String(request).split('#')
  const target = isPost ? (path ?? '/') : encodeURI(sent).replaceAll('%25', '%')
  const reply = replyOf(
    node.send({
      verb: via.toUpperCase(),
      target,
      contentType: type,
      body: isPost ? bodyOf(request) : '',
      host: headers['host'] ?? 'localhost:26657',
    }),
  )
  const names = reply.headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => kept.has(name))
    .map(([name, value]) => [name, name === 'x-server-time' ? 'present' : value])
  return toJson({
    status: reply.status,
    headers: Object.fromEntries(names),
    body: via === 'head' ? '' : read(reply.body),
  })
}

const overHttp = test.macro((t, file: string, chosen: (one: Case) => boolean, least: number) => {
  const node = new CometNode(faithful).blocks('', 'a=1', '', '')
  let compared = 0
  for (const [one, want] of casesOf(file)) {
    if (!['post', 'get', 'head', 'options', 'put', 'delete'].includes(one.via) || !chosen(one)) {
      continue
    }
    const got = ask(node, one)
    const wanted = toJson({ ...want, body: envelopeOf(want.body) })
    t.deepEqual(misses(wanted, got, new Symbols()), [], `${one.name}: ${write(got).slice(0, 300)}`)
    compared += 1
  }
  t.true(compared >= least, `${compared} cases`)
})

/** Needs the recorded application, or data that only its chain has. */
const ofTheApplication = /p2p\/filter|\$\{|wire type|memo/

const isOurs = ({ request, path }: Case): boolean => !ofTheApplication.test(JSON.stringify([request, path]))

test('paths, verbs, forms and URI parameters are read as recorded', overHttp, 'a-get', isOurs, 75)
test('JSON-RPC messages, ids and batches are read as recorded', overHttp, 'a-post', isOurs, 100)

type Step = { readonly send?: unknown; readonly expect?: number }

test('WebSocket messages are answered as recorded', (t) => {
  let compared = 0
  for (const [one, want] of casesOf('a-ws')) {
    const steps = one.request as readonly Step[]
    const isSimple =
      isOurs(one) &&
      one.path === undefined &&
      Array.isArray(want.body) &&
      steps.every((step) => step.send !== undefined || step.expect !== undefined) &&
      !/broadcast|check_tx|over the limit/.test(JSON.stringify(one))
    if (!isSimple) continue
    const node = new CometNode(faithful).blocks('', 'a=1', '', '')
    const queue: string[] = []
    const got = steps.flatMap((step) => {
      if (step.send !== undefined) queue.push(...node.say(bodyOf(step.send)))
      return step.expect === undefined ? [] : [queue.splice(0, step.expect).map(read)]
    })
    const wanted = toJson((want.body as readonly unknown[]).map(envelopeOf))
    t.deepEqual(misses(wanted, toJson(got), new Symbols()), [], `${one.name}: ${write(toJson(got)).slice(0, 300)}`)
    compared += 1
  }
  t.true(compared >= 70, `${compared} cases`)
})
