/**
 * Forks that need no other chain: from a recording of level 2, and from the inputs of one that was
 * served.
 */
import { join } from 'node:path'
import test from 'ava'
import { openFork } from '../../../src/shell/fork/openFork.ts'
import { loadLibrary, originNow, saveLibrary } from '../../../src/shell/recordings/folderFiles.ts'
import { openSink } from '../../../src/shell/recordings/sink.ts'
import { startRecording } from '../../../src/shell/recorder.ts'
import { replayText } from '../../../src/shell/replayer.ts'
import { run } from '../../../src/shell/server.ts'
import { profileSettings } from '../../../src/settings/profiles.ts'
import { scratch } from '../../helpers/cli.ts'
import { clientsOf, forkOf, friend, raw, startUpstream, tokenAbi, type Upstream } from '../../helpers/forked.ts'
import { freePorts } from '../../helpers/server.ts'
import { noPlan } from '../../../src/plan/plan.ts'

let upstream: Upstream
let folder: string
let answers: readonly string[]
test.before(async () => {
  upstream = await startUpstream()
  folder = join(scratch(), 'fork')
  const sink = openSink(join(folder, 'log.jsonl'), [])
  const settings = { ...profileSettings('local'), ...freePorts }
  const fork = await openFork(
    { from: [upstream.urls.eth, upstream.urls.comet], timeoutMs: 300_000 },
    settings,
    sink.note,
  )
  const running = await run({
    settings: { ...settings, ...fork.settings },
    plan: noPlan,
    genesis: fork.genesis,
    forking: fork.forking,
    home: undefined,
    log: () => {},
    record: () => {},
  })
  answers = await flow(running.urls.eth)
  await running.close()
  await saveLibrary(folder, sink.end(), originNow(2))
})
test.after.always(() => upstream.close())

/** What a dApp does that reads both sides of the fork and sends in between. */
async function flow(url: string): Promise<readonly string[]> {
  const id = upstream.settings.evmChainId
  const { wallet } = clientsOf({ urls: { ...upstream.urls, eth: url }, keys: upstream.keys }, id)
  const { reader } = clientsOf({ urls: { ...upstream.urls, eth: url }, keys: upstream.keys }, id)
  const seen: string[] = []
  const ask = async (method: string, params: unknown) => {
    seen.push(await raw(url, method, params))
  }
  const hash = await wallet.writeContract({
    address: upstream.token,
    abi: tokenAbi,
    functionName: 'transfer',
    args: [friend, 5n],
    gas: 100_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
  })
  await reader.waitForTransactionReceipt({ hash })
  await ask('eth_getTransactionReceipt', [hash])
  await ask('eth_getLogs', [{ address: upstream.token, fromBlock: '0x1' }])
  await ask('eth_getBlockByNumber', ['0x2', true])
  await ask('eth_getBalance', [friend, 'latest'])
  await ask('eth_getBlockByNumber', ['latest', false])
  await ask('eth_getTransactionReceipt', [await transferHash()])
  return seen
}

async function transferHash(): Promise<string> {
  const { reader } = clientsOf(upstream, upstream.settings.evmChainId)
  const { transactions } = await reader.getBlock({ blockNumber: upstream.blockOfTransfer })
  return transactions[0] ?? ''
}

test.serial('a fork of a recording answers as the fork of the node did', async (t) => {
  await using fork = await forkOf([folder])
  t.deepEqual(await flow(fork.urls.eth), answers)
  t.is((await loadLibrary(folder)).heads.at(-1)?.height, Number(upstream.simulation().node.chain.height))
})

test.serial('state that was not recorded is a miss that names it', async (t) => {
  await using fork = await forkOf([folder])
  const slot = `0x${'0'.repeat(63)}9`
  const asked = JSON.parse(await raw(fork.urls.eth, 'eth_getStorageAt', [upstream.token, slot, 'latest'])) as {
    error: { code: number; message: string }
  }
  t.is(asked.error.code, -32070)
  t.true(asked.error.message.includes(`storage slot ${slot} of account ${upstream.token.toLowerCase()}`))
  const account = `0x${'cd'.repeat(20)}`
  const other = JSON.parse(await raw(fork.urls.eth, 'eth_getBalance', [account, 'latest'])) as {
    error: { code: number; message: string }
  }
  t.is(other.error.code, -32070)
  t.true(other.error.message.includes(`account ${account}`))
  const past = JSON.parse(await raw(fork.urls.eth, 'eth_getBlockByNumber', ['0x1', false])) as {
    error: { code: number }
  }
  t.is(past.error.code, -32070)
})

test.serial('a hash that was not recorded is unknown, and a receipt may have been recorded alone', async (t) => {
  const library = await loadLibrary(folder)
  const keys = [...library.answers.keys()].filter((key) => !key.startsWith('eth eth_getTransactionByHash '))
  const answers = new Map(keys.map((key) => [key, library.answers.get(key) ?? []] as const))
  t.true(answers.size < library.answers.size)
  const alone = join(scratch(), 'alone')
  await saveLibrary(alone, { ...library, answers }, originNow(2))
  const hash = await transferHash()
  const answer = await raw(upstream.urls.eth, 'eth_getTransactionReceipt', [hash])
  for (const from of [folder, alone]) {
    await using fork = await forkOf([from])
    t.is(await raw(fork.urls.eth, 'eth_getTransactionReceipt', [hash]), answer)
    const unknown = await raw(fork.urls.eth, 'eth_getTransactionReceipt', [`0x${'ee'.repeat(32)}`])
    t.deepEqual(JSON.parse(unknown), { jsonrpc: '2.0', id: 1, result: null })
  }
})

test.serial('the inputs of a fork replay without the other chain, byte for byte', async (t) => {
  const settings = { ...profileSettings('local'), ...freePorts }
  const fork = await openFork({ from: [upstream.urls.eth], timeoutMs: 300_000 }, settings)
  const recorder = startRecording({
    settings: { ...settings, ...fork.settings },
    scenario: undefined,
    genesis: fork.genesis,
  })
  const running = await run({
    settings: recorder.chosen.settings,
    plan: noPlan,
    genesis: fork.genesis,
    forking: fork.forking,
    home: undefined,
    log: () => {},
    record: recorder.record,
    isRecorded: true,
  })
  await flow(running.urls.eth)
  for (let more = 0; more < 64; more++) running.enter({ kind: 'tick' })
  await running.close()
  const { count, difference } = await replayText(recorder.text())
  t.is(difference, undefined)
  t.true(count > 64, 'a digest was compared')
})
