/** Scenarios with fixtures on a forked chain, which fetches state for them before it serves. */
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { encodeFunctionData, parseEther } from 'viem'
import { start, type Server } from '../../../src/index.ts'
import { openFork } from '../../../src/shell/fork/openFork.ts'
import { startRecording } from '../../../src/shell/recorder.ts'
import { replayText } from '../../../src/shell/replayer.ts'
import { run } from '../../../src/shell/server.ts'
import { loadScenario } from '../../../src/shell/scenarios/scenarioFiles.ts'
import { profileSettings } from '../../../src/settings/profiles.ts'
import { scratch } from '../../helpers/cli.ts'
import { clientsOf, friend, startUpstream, tokenAbi, type Upstream } from '../../helpers/forked.ts'
import { eventually, freePorts } from '../../helpers/server.ts'

let upstream: Upstream
/** The first account of the mnemonic, which the other chain does not know. */
const you = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
test.before(async () => {
  upstream = await startUpstream()
  const { wallet, reader } = clientsOf(upstream, upstream.settings.evmChainId)
  const call = { address: upstream.token, abi: tokenAbi, functionName: 'transfer', args: [you, 1000n] } as const
  await reader.waitForTransactionReceipt({ hash: await wallet.writeContract({ ...call, gas: 100_000n }) })
})
test.after.always(() => upstream.close())

/** Saves a scenario with an account, a contract and calls, one of them to the other chain's token. */
function saved(more = ''): string {
  const folder = scratch()
  copyFileSync('scenarios/_artifacts/DemoToken.json', join(folder, 'Token.json'))
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [friend, 5n] })
  const path = join(folder, 's.json5')
  writeFileSync(
    path,
    `{ chainstage: 1, name: 's', fixtures: {
      accounts: { you: { mnemonicIndex: 0 }, alice: { balance: '5 evm' }, bob: { balance: '0 evm' } },
      contracts: { demo: { artifact: './Token.json', from: '@alice', args: ['Demo', 'DMO', '100 DMO'], symbol: 'DMO' } },
      genesisTxs: [
        { sendTx: { from: '@alice', call: { contract: 'demo', fn: 'transfer', args: ['@bob', '30 DMO'] } } },
        { sendTx: { from: '@you', to: '${upstream.token}', data: '${data}' } }, ${more} ] },
    steps: [{ id: 'furnished', expect: [
      { balance: { address: '@bob', equals: '30 DMO' } },
      { balance: { address: '@alice', min: '4 evm', max: '5 evm' } } ] }] }`,
  )
  return path
}

const forkedAt = () => ({ from: [upstream.urls.eth, upstream.urls.comet], timeoutMs: 300_000 })
const balanceOf = ({ urls }: Pick<Server, 'urls'>, who: `0x${string}`) =>
  clientsOf(
    { urls: { ...upstream.urls, eth: urls.eth }, keys: upstream.keys },
    upstream.settings.evmChainId,
  ).reader.readContract({ address: upstream.token, abi: tokenAbi, functionName: 'balanceOf', args: [who] })

test('a fork has the fixtures of its scenario before the first step, and so has each session', async (t) => {
  await using fork = await start({ scenario: saved(), ports: 'free', fork: forkedAt() })
  await eventually(() => fork.simulation().progress.state !== 'running')
  t.deepEqual(fork.simulation().progress.failures, [])
  t.is(await balanceOf(fork, friend), 15n)
  t.is(await balanceOf(upstream, friend), 10n, 'the other chain is not changed')
  await using session = fork.session()
  t.is(await balanceOf(session, friend), 15n)
  const { reader } = clientsOf({ urls: session.urls, keys: fork.keys }, fork.settings.evmChainId)
  const alice = fork.simulation().plan.fixtures.accounts.find(({ name }) => name === 'alice')
  const address = `0x${Buffer.from(alice?.address ?? []).toString('hex')}` as const
  const balance = await reader.getBalance({ address })
  t.true(balance > parseEther('4') && balance < parseEther('5'), String(balance))
})

test('a fixture that the fork rejects is told, and the chain does not start', async (t) => {
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [friend, 10n ** 30n] })
  const scenario = saved(`{ sendTx: { from: '@you', to: '${upstream.token}', data: '${data}' } }`)
  const error = await t.throwsAsync(start({ scenario, ports: 'free', fork: forkedAt() }), { code: 'FIXTURE_FAILED' })
  t.regex(error?.message ?? '', /^the fixtures cannot be built on the fork: .*its transaction reverted$/)
})

test('the fixtures of a fork are an input that replays without the other chain', async (t) => {
  const scenario = await loadScenario(saved())
  const local = { ...profileSettings('local'), ...freePorts, ...scenario.settings }
  const fork = await openFork(forkedAt(), local)
  const { genesis } = fork
  const recorder = startRecording({ settings: { ...local, ...fork.settings }, scenario, genesis })
  const running = await run({
    settings: recorder.chosen.settings,
    ...{ plan: scenario.plan, genesis, forking: fork.forking, home: undefined, log: () => {} },
    ...{ record: recorder.record, isRecorded: true },
  })
  await eventually(() => running.simulation().progress.state !== 'running')
  t.is(running.simulation().progress.state, 'passed')
  await running.close()
  const { count, difference } = await replayText(recorder.text())
  t.deepEqual([count, difference], [recorder.count(), undefined])
})
