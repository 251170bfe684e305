import { execFile } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { agendaEntries } from '../src/data/agenda.ts'
import { start, type Server } from '../src/shell/start.ts'
import { scratch } from './helpers/cli.ts'

const folder = new URL('../../scenarios/', import.meta.url)
const program = fileURLToPath(new URL('./helpers/scenarioDigests.js', import.meta.url))
const shipped = readdirSync(folder)
  .filter((file) => file.endsWith('.json5') && !file.startsWith('_'))
  .map((name) => fileURLToPath(new URL(name, folder)))

async function digestsOf(environment: Record<string, string>): Promise<readonly string[]> {
  const { CI: _, ...own } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...shipped], {
    env: { ...own, ...environment },
  })
  return stdout.trim().split('\n')
}

test('demand 10: every shipped scenario is the same chain and the same words in another process with other timing', async (t) => {
  const [plain, shuffled] = await Promise.all([
    digestsOf({}),
    digestsOf({ CHAOS: '1', TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8' }),
  ])
  t.is(plain.length, shipped.length)
  for (const line of plain) t.regex(line, /^.+ [0-9a-f]{64} [0-9a-f]{64}$/)
  t.deepEqual(shuffled, plain)
})

const rules = (
  name: string,
) => `chance: { match: { method: 'eth_chainId' }, select: { probability: '1/3' }, effect: { rpcError: { code: -1, message: 'chance' } } },
  ${name}: { match: { method: 'net_version' }, select: { probability: '1/3' }, effect: { rpcError: { code: -2, message: 'other' } } },
  slow: { match: { method: 'eth_gasPrice' }, effect: { latency: { uniform: ['1s', '900s'] } } }`

function scenarioWith(name: string): string {
  const path = join(scratch(), 's.json5')
  writeFileSync(
    path,
    `{ chainstage: 1, name: 's', seed: 's', faults: { ${rules(name)} },
    fixtures: { accounts: { alice: {} } },
    steps: [{ do: [{ fault: { use: 'chance' } }, { fault: { use: '${name}' } }, { fault: { use: 'slow' } }] }] }`,
  )
  return path
}

type Seen = {
  readonly chance: string
  readonly other: string
  readonly jitter: string
  readonly keys: string
}

async function seenWith(name: string, seed?: string): Promise<Seen> {
  await using server = await start({
    scenario: scenarioWith(name),
    ports: 'none',
    settings: { pace: 'manual', ...(seed === undefined ? {} : { seed }) },
  })
  const fails = async (method: string) => {
    const marks: string[] = []
    for (let call = 0; call < 60; call++) {
      marks.push(
        await server.eth.request({ method }).then(
          () => '.',
          () => 'x',
        ),
      )
    }
    return marks.join('')
  }
  return {
    chance: await fails('eth_chainId'),
    other: await fails('net_version'),
    jitter: jitterOf(server),
    keys: keysOf(server),
  }
}

function jitterOf(server: Server): string {
  for (let call = 0; call < 8; call++) {
    void server.eth.request({ method: 'eth_gasPrice' }).catch(() => {})
  }
  return [...agendaEntries(server.simulation().node.agenda)]
    .filter(({ item }) => item.type === 'deliver')
    .map(({ timeMs }) => timeMs)
    .sort()
    .join()
}

function keysOf(server: Server): string {
  const { plan, node } = server.simulation()
  const validators = node.chain.validators.validators.map(({ publicKey }) =>
    Buffer.from(publicKey.bytes).toString('hex'),
  )
  return [...plan.fixtures.accounts.map(({ address }) => Buffer.from(address).toString('hex')), ...validators].join()
}

test('another name of one rule moves only the draws of that rule', async (t) => {
  const [one, other] = [await seenWith('first'), await seenWith('second')]
  t.regex(one.chance, /x.*\..*x/)
  t.is(one.jitter.split(',').length, 8)
  t.deepEqual({ ...one, other: '' }, { ...other, other: '' })
  t.not(one.other, other.other)
})

test('another seed gives other keys, other delays and other faulted calls; the same seed the same', async (t) => {
  const [one, same, other] = [await seenWith('first', 'a'), await seenWith('first', 'a'), await seenWith('first', 'b')]
  t.deepEqual(one, same)
  for (const key of ['chance', 'other', 'jitter', 'keys'] as const) t.not(one[key], other[key], key)
})
