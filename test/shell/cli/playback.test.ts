/** `run` and `test` over a recording: the program's calls are answered from it, or missed. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { cli, scratch } from '../../helpers/cli.ts'
import { startLocal } from '../../helpers/server.ts'

/** Resolves with a recording of a wallet's traffic with a chain whose id is 0x40000. */
async function recordingIn(folder: string): Promise<string> {
  const recording = join(folder, 'wallet')
  const { code } = await cli(['recording', 'import', 'test/recording/traffic/wallet.jsonl', '--out', recording])
  if (code !== 0) throw new Error('the recording was not imported')
  return recording
}

/** A program that prints the results of calls without parameters, and ends with a code. */
const program = (methods: readonly string[], code = 0) => [
  '--',
  process.execPath,
  '--input-type=module',
  '-e',
  `
  for (const method of ${JSON.stringify(methods)}) {
    const answer = await fetch(process.env.CHAINSTAGE_ETH_URL, { method: 'POST', headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }) })
    console.log(method, JSON.stringify((await answer.json()).result))
  }
  process.exit(${code})`,
]

test('a file that is imported twice is the same recording, byte for byte', async (t) => {
  const manifests = await Promise.all(
    [scratch(), scratch()].map(async (folder) =>
      readFileSync(join(await recordingIn(folder), 'manifest.json'), 'utf8'),
    ),
  )
  t.regex(manifests[0] ?? '', /"root": "[0-9a-f]{64}"/)
  t.is(manifests[0], manifests[1])
})

const plays = test.macro(async (t, verb: 'run' | 'test') => {
  const folder = scratch()
  const recording = await recordingIn(folder)
  const words = [verb, '--playback', recording, '--mode', 'strict']
  const log = verb === 'test' ? ['--log', join(folder, 'run.log')] : []
  const good = await cli([...words, ...program(['eth_chainId'])])
  t.deepEqual([good.code, good.err], [0, ''], good.out)
  t.regex(good.out, /^eth_chainId "0x40000"\n/)
  t.regex(good.out, /wallet: passed/)
  t.false(existsSync(`${recording}.misses.json`))
  const missed = await cli([...words, ...log, ...program(['eth_chainId', 'txpool_status'], 1)])
  t.is(missed.code, 4, missed.out + missed.err)
  t.regex(missed.out, /no recorded response: eth txpool_status/)
  t.regex(missed.err, /calls that were not recorded are in .*wallet\.misses\.json/)
  const report = JSON.parse(readFileSync(`${recording}.misses.json`, 'utf8')) as Record<string, unknown>
  t.is((report['misses'] as string[]).length, 1)
  t.is((await cli([...words, ...log, ...program(['eth_chainId'], 7)])).code, 7)
})

test.serial('run --playback answers a program from a recording, and exit code 4 tells of misses', plays, 'run')
test.serial('test --playback answers a program from a recording, and exit code 4 tells of misses', plays, 'test')

test.serial('scenarios run over a recording: their faults apply, and one report has the misses of all', async (t) => {
  const folder = scratch()
  const recording = await recordingIn(folder)
  const head = "chainstage: 1, clock: { pace: 'wall' }"
  writeFileSync(
    join(folder, 'a.json5'),
    `{ ${head}, name: 'a', faults: { busy: { match: { method: 'net_version' },
    effect: { rpcError: { code: -32005, message: 'busy' } } } }, steps: [{ do: { fault: { use: 'busy' } } }] }`,
  )
  writeFileSync(join(folder, 'b.json5'), `{ ${head}, name: 'b', steps: [] }`)
  const report = join(folder, 'report.json')
  const done = await cli([
    'test',
    join(folder, '*.json5'),
    '--playback',
    recording,
    '--mode',
    'strict',
    '--report',
    report,
    '--log',
    join(folder, 'run.log'),
    '--reporter',
    `junit=${join(folder, 'r.xml')}`,
    ...program(['eth_chainId', 'net_version', 'txpool_status']),
  ])
  t.is(done.code, 4, done.out + done.err)
  t.deepEqual(done.out.match(/^net_version .*$/gm), ['net_version undefined', 'net_version "262144"'])
  const { misses } = JSON.parse(readFileSync(report, 'utf8')) as { misses: readonly string[] }
  t.deepEqual(
    misses.map((one) => one.split(' ')[1]),
    ['txpool_status'],
  )
  t.is(readFileSync(join(folder, 'r.xml'), 'utf8').match(/<failure message="no recorded response/g)?.length, 2)
  t.is((await cli(['replay', join(folder, 'run.log')])).code, 0)
})

test.serial('a mode that records does so while the program runs, and takes no scenario', async (t) => {
  const folder = scratch()
  const recording = join(folder, 'new')
  const node = await startLocal()
  t.teardown(node.close)
  const words = ['test', '--playback', recording, '--mode', 'all', '--upstream-eth', node.urls.eth]
  const recorded = await cli([...words, ...program(['eth_chainId'])])
  t.is(recorded.code, 0, recorded.err)
  t.is((await cli(['run', '--playback', recording, '--mode', 'strict', ...program(['eth_chainId'])])).code, 0)
  const both = await cli([...words, 'scenarios/local.json5', ...program([])])
  t.is(both.code, 2)
  t.regex(both.err, /--mode all records a node[^]*--mode strict/)
})

test.serial('neither a scenario nor a program is wrong usage', async (t) => {
  for (const words of [['run'], ['test'], ['run', '--playback', 'x']]) {
    const { code, err } = await cli(words)
    t.is(code, 2)
    t.regex(err, /expected a scenario file, or a program after --/)
  }
})

test.serial('a program alone runs on the chain of start: with the scenario of the folder, or a new one', async (t) => {
  const folder = scratch()
  for (const verb of ['run', 'test']) {
    const { code, out, err } = await cli([verb, ...program(['eth_chainId', 'web3_clientVersion'])], {}, folder)
    t.deepEqual([code, err], [0, ''], out)
    t.regex(out, /^eth_chainId "0x7a69"\nweb3_clientVersion ".+"\n/)
    // The path of Node may fill the line, which is cut after 60 characters.
    const words = `${process.execPath} --input-type=module -e for (const `
    t.true(out.includes(words.slice(0, 59)), out)
    t.regex(out, /…: passed/)
  }
  t.is((await cli(['run', ...program([], 7)], {}, folder)).code, 7)
  writeFileSync(join(folder, 'chainstage.json5'), "{ chainstage: 1, name: 'mine', chain: { evmChainId: 4242 } }")
  for (const verb of ['run', 'test']) {
    const { code, out } = await cli([verb, ...program(['eth_chainId'])], {}, folder)
    t.deepEqual([code, out.split('\n').slice(0, 2)], [0, ['eth_chainId "0x1092"', 'mine: passed']])
    const other = await cli([verb, '--profile', 'local', ...program(['eth_chainId'])], {}, folder)
    t.regex(other.out, /^eth_chainId "0x7a69"\n/, 'a flag defines the chain')
  }
})

for (const [flag, value] of [
  ['--mode', 'strict'],
  ['--speed', '2'],
  ['--upstream-eth', 'http://127.0.0.1:1'],
  ['--report', 'report.json'],
]) {
  test(`${flag} without a recording is refused, because the chain itself would answer`, async (t) => {
    const { code, err } = await cli(['run', 'scenarios/rate-limit.json5', flag ?? '', value ?? ''])
    t.is(code, 2)
    t.regex(err, new RegExp(`expected --playback beside ${flag}, received none\\s+Name a recording with --playback`))
  })
}

test('a limit of approximate responses that is no number is refused, not taken as no limit', async (t) => {
  const recording = await recordingIn(scratch())
  const given = ['--playback', recording, '--mode', 'lenient', '--max-degraded', 'few']
  const { code, err } = await cli(['run', ...given, ...program(['eth_chainId'])])
  t.is(code, 2)
  t.regex(err, /--max-degraded: expected a whole number of at least 0, received "few"/)
})
