/** Saves of every kind while viem sends transactions: nothing may be lost, doubled or cut. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { createPublicClient, createWalletClient, http, webSocket, type Hash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createRandom } from '../../src/data/random.ts'
import { sha256 } from '../../src/crypto/hash.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { startRecording } from '../../src/shell/recorder.ts'
import { parseRecording } from '../../src/recording/replay.ts'
import { playerOf, replayText } from '../../src/shell/replayer.ts'
import { digest } from '../../src/simulation/digest.ts'
import { loadScenario } from '../../src/shell/scenarios/scenarioFiles.ts'
import { serve } from '../../src/shell/serving.ts'
import { scratch } from './cli.ts'
import { eventually, freePorts } from './server.ts'

const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

const scenarioText = (
  number: number,
) => `{ chainstage: 1, name: 'storm ${number}', seed: 'storm', imports: ['./_part.json5'],
  chain: { profile: 'local' }, clock: { time: 'logical' },
  faults: { late: { match: { method: 'net_version' }, effect: { latency: '\${vars.wait}' } } },
  steps: [{ id: 'go', when: { signal: 'go ${number}' }, timeout: '14d', do: { mine: 1 } }] }`
const partText = (number: number) => `{ vars: { wait: '${number + 1}ms' } }`

/** The storm pauses so often until its last save is loaded. */
const rounds = 5

/** Runs a storm of so many saves, a multiple of `rounds`. */
export async function reloadStorm(t: ExecutionContext, saves: number): Promise<void> {
  const folder = scratch()
  const [path, part] = [join(folder, 's.json5'), join(folder, '_part.json5')]
  writeFileSync(part, partText(0))
  writeFileSync(path, scenarioText(0))
  const loaded = await loadScenario(path)
  const settingsOf = (scenario: Partial<Settings>): Promise<Settings> =>
    Promise.resolve({ ...profileSettings('local'), ...scenario, ...freePorts })
  const recorder = startRecording({ settings: await settingsOf(loaded.settings), scenario: loaded, genesis: undefined })
  const serving = await serve({
    settings: recorder.chosen.settings,
    scenario: { path, loaded },
    watches: true,
    onHistoryChange: 'restart',
    settingsOf,
    genesis: undefined,
    home: undefined,
    log: () => {},
    record: recorder.record,
  })
  const first = serving.running()
  try {
    const clients = await clientsOf(first.urls)
    let isOver = false
    const sending = send(clients, () => isOver)
    for (let round = 1; round <= rounds; round++) {
      await saveAll({ path, part, from: ((round - 1) * saves) / rounds + 1, to: (round * saves) / rounds })
      writeFileSync(path, scenarioText(saves + round))
      writeFileSync(part, partText(saves + round))
      // A slow machine may see no other save of a round.
      const name = `storm ${saves + round}`
      await eventually(() => first.simulation().plan.name === name && first.problems.list().length === 0)
    }
    isOver = true
    await settle(t, { clients, hashes: await sending })
    t.is(serving.running(), first, 'no restart')
    const { generation } = first.simulation().progress
    t.true(generation > rounds, `generation ${generation}`)
    clients.close()
  } finally {
    await serving.close()
  }
  t.is(readFileSync(path, 'utf8'), scenarioText(saves + rounds))
  const { count, difference } = await replayText(recorder.text())
  t.is(difference, undefined)
  t.is(count, recorder.count())
  t.is(await replayedDigest(recorder.text()), digest(first.simulation()))
}

/** The same inputs once more, and the fingerprint after the last. */
async function replayedDigest(text: string): Promise<string> {
  const { header, lines } = parseRecording(text)
  const play = await playerOf(header)
  return (
    lines
      .map(({ input }) => play(input))
      .at(-1)
      ?.digest() ?? ''
  )
}

/** Valid, invalid, half-written, deleted and back, two files at once, renamed into place. */
type Saves = { readonly path: string; readonly part: string; readonly from: number; readonly to: number }

async function saveAll({ path, part, from, to }: Saves): Promise<void> {
  const random = createRandom(new Uint8Array([7]), sha256)
  for (let save = from; save <= to; save++) {
    const text = scenarioText(save)
    const kinds = [
      () => writeFileSync(path, text),
      () => writeFileSync(path, text.replace('steps:', 'stepps:')),
      () => writeFileSync(path, text.slice(0, random.below('cut', save, text.length))),
      () => {
        rmSync(path, { force: true })
        setTimeout(() => writeFileSync(path, text), 5)
      },
      () => {
        writeFileSync(part, partText(save))
        writeFileSync(path, text)
      },
      () => {
        writeFileSync(`${path}~`, text)
        renameSync(`${path}~`, path)
      },
      () => writeFileSync(part, partText(save)),
    ]
    kinds[random.below('kind', save, kinds.length)]?.()
    await new Promise((done) => {
      setTimeout(done, 5 + random.below('pause', save, 120))
    })
  }
}

type Clients = Awaited<ReturnType<typeof clientsOf>>

async function clientsOf({ eth, ethWs }: { eth: string; ethWs: string }) {
  const socket = webSocket(ethWs, { reconnect: false, keepAlive: false })
  const heads: bigint[] = []
  const watcher = createPublicClient({ transport: socket })
  const unwatch = watcher.watchBlockNumber({
    onBlockNumber: (height) => {
      heads.push(height)
    },
    emitMissed: false,
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ports = new Set<number | undefined>()
  const ask = () =>
    new Promise<string>((done, fail) => {
      const asked = request(
        eth,
        {
          method: 'POST',
          agent,
          headers: { 'content-type': 'application/json' },
        },
        (answer) => {
          ports.add(answer.socket.localPort)
          answer.resume().once('end', () => done(String(answer.headers['x-chainstage-generation'])))
        },
      )
      asked.once('error', fail)
      asked.end('{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}')
    })
  return {
    ask,
    ports,
    heads,
    reader: createPublicClient({ transport: http(eth) }),
    watcher,
    wallet: createWalletClient({ account, transport: http(eth, { retryCount: 0 }) }),
    close: () => {
      unwatch()
      agent.destroy()
    },
  }
}

/**
 * Sends one transaction after the other, each with the next nonce, and asks over one connection.
 */
async function send({ wallet, ask }: Clients, isOver: () => boolean): Promise<readonly Hash[]> {
  const hashes: Hash[] = []
  let generation = 0
  // A machine that is busy gets less done meanwhile.
  while (!isOver() || hashes.length <= 10) {
    hashes.push(
      await wallet.sendTransaction({
        chain: null,
        to: account.address,
        value: 1n,
        nonce: hashes.length,
        gas: 21_000n,
        maxFeePerGas: 5_000_000_000n,
        maxPriorityFeePerGas: 0n,
        type: 'eip1559',
      }),
    )
    const told = Number(await ask())
    if (told < generation) throw new Error(`the generation went back from ${generation} to ${told}`)
    generation = told
  }
  return hashes
}

/** Every transaction is in one block, once, in order; no connection was lost. */
async function settle(
  t: ExecutionContext,
  { clients, hashes }: { clients: Clients; hashes: readonly Hash[] },
): Promise<void> {
  const { reader, ports, heads } = clients
  t.true(hashes.length > 10, `${hashes.length} transactions`)
  t.is(await reader.getTransactionCount({ address: account.address }), hashes.length)
  const top = await reader.getBlockNumber()
  const seen: Hash[] = []
  for (let height = 1n; height <= top; height++) {
    seen.push(...(await reader.getBlock({ blockNumber: height })).transactions)
  }
  t.deepEqual(seen, hashes)
  t.is(ports.size, 1, 'one connection served every question')
  await eventually(() => heads.at(-1) === top)
  t.deepEqual(
    heads.slice(1),
    heads.slice(1).map((_, index) => (heads[0] ?? 0n) + BigInt(index) + 1n),
    'no head was missed',
  )
}
