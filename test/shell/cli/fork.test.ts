/** A fork as a person starts and records it. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { cli, freePorts, scratch, startCli } from '../../helpers/cli.ts'
import { raw } from '../../helpers/forked.ts'
import { startLocal } from '../../helpers/server.ts'

const friend = `0x${'f1'.repeat(20)}`
const program = `
const call = async (method, params) => (await (await fetch(process.env.CHAINSTAGE_ETH_URL, {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
})).json()).result
console.log('balance', await call('eth_getBalance', ['${friend}', 'latest']))`

test('a fork is recorded against a node, and starts without it', async (t) => {
  const folder = join(scratch(), 'shop')
  const node = await startLocal()
  await raw(node.urls.eth, 'anvil_setBalance', [friend, '0x2a'])
  node.mine(3)
  const recorded = await cli([
    'record',
    '--level',
    'fork',
    '--eth',
    node.urls.eth,
    '--comet',
    node.urls.comet,
    '--out',
    folder,
    '--',
    process.execPath,
    '-e',
    program,
  ])
  await node.close()
  t.is(recorded.code, 0, recorded.err)
  t.regex(recorded.out, /balance 0x2a\n.*shop: the state of height 4, \d+ exchanges/s)
  const started = startCli(['start', '--fork', folder, ...freePorts, '--json'])
  const [line] = await started.says(/^\{.*\}$/m)
  const { urls } = JSON.parse(line) as { urls: { eth: string } }
  t.deepEqual(JSON.parse(await raw(urls.eth, 'eth_getBalance', [friend, 'latest'])), {
    jsonrpc: '2.0',
    id: 1,
    result: '0x2a',
  })
  t.is((JSON.parse(await raw(urls.eth, 'eth_blockNumber', [])) as { result: string }).result, '0x5')
  const { error } = JSON.parse(await raw(urls.eth, 'eth_getCode', [`0x${'0c'.repeat(20)}`, 'latest'])) as {
    error: { code: number }
  }
  t.is(error.code, -32070)
  started.process.kill('SIGTERM')
  const ended = await started.ended
  t.is(ended.code, 4, 'something was missed')
  t.regex(ended.err, /account 0x0c0c.* at height 4 is unknown/)
})

test('a recording of a fork whose node does not answer leaves no folder', async (t) => {
  const folder = join(scratch(), 'shop')
  const ended = await cli(['record', '--level', 'fork', '--eth', 'http://127.0.0.1:1', '--out', folder, '--', 'true'])
  t.is(ended.code, 1)
  t.regex(ended.err, /NO_FORK_POINT: .*does not answer/)
  t.false(existsSync(folder))
})

test('what cannot be gone on from is said', async (t) => {
  const nobody = await cli(['start', '--fork', 'http://127.0.0.1:1', ...freePorts])
  t.is(nobody.code, 1)
  t.regex(nobody.err, /NO_FORK_POINT: .*the node at http:\/\/127\.0\.0\.1:1 does not answer\nStart the node/)
  const height = await cli(['start', '--fork', 'http://127.0.0.1:1', '--fork-height', 'x'])
  t.regex(height.err, /expected --fork-height HEIGHT, received "x"/)
  const alone = await cli(['start', '--fork-height', '5'])
  t.is(alone.code, 2)
  t.regex(alone.err, /expected --fork beside --fork-height, received --fork-height 5 alone/)
})

test('a saved fork continues at its own height, although the other chain has moved on', async (t) => {
  const node = await startLocal()
  node.mine(3)
  const args = ['start', '--fork', node.urls.eth, ...freePorts, '--json', '--state', join(scratch(), 'chain.state')]
  const height = async () => {
    const { process, says, ended } = startCli(args)
    const [line] = await says(/^\{.*\}$/m)
    const { urls } = JSON.parse(line) as { urls: { eth: string } }
    await raw(urls.eth, 'evm_mine', [])
    const { result } = JSON.parse(await raw(urls.eth, 'eth_blockNumber', [])) as { result: string }
    process.kill('SIGTERM')
    await ended
    return Number(result)
  }
  const first = await height()
  node.mine(2)
  t.is(await height(), first + 1)
  await node.close()
  const away = await cli(args)
  t.is(away.code, 1)
  t.regex(away.err, /the node at http:\/\/127\.0\.0\.1:\d+ does not answer/)
})

/** Starts a fork that is refused, and returns the error. */
async function refused(words: readonly string[]): Promise<string> {
  const { code, err } = await cli(['start', ...words, ...freePorts])
  return `${code} ${err}`
}

const besideFork = test.macro(async (t, words: readonly string[], expected: RegExp) => {
  // The other chain is not asked.
  t.regex(await refused(['--fork', 'http://127.0.0.1:1', ...words]), expected)
})
const genesis = join(scratch(), 'genesis.json')
writeFileSync(genesis, '{}')
test(
  'a genesis beside --fork is refused',
  besideFork,
  ['--genesis', genesis],
  /^2 .*expected --fork without --genesis,/,
)
test('a playback beside --fork is refused', besideFork, ['--playback', 'rec'], /expected --fork without --playback,/)
test('a base fee beside --fork is refused', besideFork, ['--base-fee', '7'], /expected --fork without --base-fee,/)
test('a gas limit beside --fork is refused', besideFork, ['--gas-limit', '7'], /expected --fork without --gas-limit,/)
test(
  'a genesis time beside --fork is refused',
  besideFork,
  ['--genesis-time', '2026-01-01T00:00:00Z'],
  /expected --fork without --genesis-time,/,
)
test(
  'an application without Ethereum state cannot be forked',
  besideFork,
  ['--app', 'kvstore'],
  /expected the application evmd beside --fork, received kvstore/,
)

test('a WebSocket URL is no path of a recording', async (t) => {
  t.regex(
    await refused(['--fork', 'ws://127.0.0.1:1/KEY']),
    /^2 .*expected http or https URLs .*received a URL that begins with ws:\/\//,
  )
  t.notRegex(await refused(['--fork', 'ws://127.0.0.1:1/KEY']), /KEY/)
  t.regex(await refused(['--fork', 'http://127.0.0.1:1', '--fork', 'rec']), /received a path beside another source/)
})

test('an address without its scheme is no path of a recording either', async (t) => {
  t.regex(
    await refused(['--fork', '127.0.0.1:1']),
    /127\.0\.0\.1:1: there is no recording\nFor a node, write http:\/\/127\.0\.0\.1:1\./,
  )
  t.regex(
    await refused(['--fork', 'snapshots/absent']),
    /^2 UNREADABLE_FILE: snapshots\/absent: there is no recording\nCorrect the path, or record a node with chainstage record\./,
  )
})

test('a saved fork is refused without --fork, and a saved chain with it', async (t) => {
  await using node = await startLocal()
  const fork = ['--fork', node.urls.eth]
  const [forked, own] = [join(scratch(), 'fork.state'), join(scratch(), 'own.state')]
  for (const words of [
    [...fork, '--state', forked],
    ['--state', own],
  ]) {
    const first = startCli(['start', ...words, ...freePorts])
    await first.says(/\(Cosmos gRPC\)/)
    first.process.kill('SIGTERM')
    await first.ended
  }
  t.regex(
    await refused(['--state', forked]),
    /^1 FOREIGN_STATE.*\nThe kept chain is a fork: start with its --fork\. Or move/,
  )
  t.regex(
    await refused([...fork, '--state', own]),
    /^1 FOREIGN_STATE.*\nThe kept chain is not a fork: start without --fork\. Or move/,
  )
})

test('a fork that contradicts its source is refused', async (t) => {
  const [node, other] = [await startLocal(), await startLocal({ seed: 'other' })]
  const { eth, comet } = node.urls
  node.mine(3)
  other.mine(3)
  t.regex(
    await refused(['--fork', eth, '--fork', other.urls.eth]),
    /expected one --fork URL of Ethereum JSON-RPC, received/,
  )
  t.regex(await refused(['--fork', `${comet},${comet},${eth}`]), /expected one --fork URL of CometBFT RPC, received/)
  t.regex(await refused(['--fork', eth, '--fork', other.urls.comet]), /received different blocks of height 4 from them/)
  node.mine(1)
  t.regex(await refused(['--fork', eth, '--fork', other.urls.comet]), /its CometBFT RPC has no block 5, which/)
  t.regex(
    await refused(['--fork', eth, '--fork-height', '99999']),
    /it has no block 99999; its newest is 5\nChoose a height of at most 5/,
  )
  t.regex(
    await refused(['--fork', eth, '--chain-id', '31338']),
    /expected the EVM chain id of the other chain, \d+, received 31338/,
  )
  t.regex(
    await refused(['--fork', eth, '--fork', comet, '--chain-id', 'mine-1']),
    /expected the Cosmos chain id of the other chain, \S+, received mine-1/,
  )
  t.regex(
    await refused(['--fork', eth, '--fork', comet, '--bech32-prefix', 'mine']),
    /expected the prefix of the other chain's addresses, cosmos, received mine/,
  )
  await node.close()
  await other.close()
})

test('a fork starts beside settings that do not contradict it', async (t) => {
  const node = await startLocal()
  await raw(node.urls.eth, 'anvil_mine', ['0x3'])
  await raw(node.urls.eth, 'chainstage_reorg', [2, 'evm'])
  const id = String(node.settings.evmChainId)
  const sources = ['--fork', node.urls.eth, '--fork', node.urls.comet, '--chain-id', id]
  const { process, says, ended } = startCli(['start', ...sources, ...freePorts, '--json'], {
    CHAINSTAGE_BASE_FEE: '7',
    CHAINSTAGE_GAS_LIMIT: '1000000',
  })
  const [line] = await says(/^\{.*\}$/m)
  const { chainId } = JSON.parse(line) as { chainId: string }
  t.is(chainId, node.simulation().node.chain.genesis.chainId)
  process.kill('SIGTERM')
  await ended
  await node.close()
})

const runs = test.macro(async (t, verb: 'run' | 'test') => {
  const [folder, log] = [join(scratch(), 'shop'), ['--log', join(scratch(), 'run.log')]]
  const node = await startLocal()
  await raw(node.urls.eth, 'anvil_setBalance', [friend, '0x2a'])
  const reads = ['--', process.execPath, '-e', program]
  node.mine(1)
  const onNode = await cli([verb, '--fork', node.urls.eth, ...reads])
  t.deepEqual([onNode.code, onNode.err], [0, ''])
  t.regex(onNode.out, /balance 0x2a\n/)
  const recorded = await cli(['record', '--level', 'fork', '--eth', node.urls.eth, '--out', folder, ...reads])
  t.is(recorded.code, 0, recorded.err)
  await node.close()
  const alone = await cli([verb, '--fork', folder, ...reads])
  t.is(alone.code, 0, alone.out + alone.err)
  const other = program.replace(friend, `0x${'0c'.repeat(20)}`)
  const missed = await cli([
    verb,
    '--fork',
    folder,
    ...(verb === 'test' ? log : []),
    '--',
    process.execPath,
    '-e',
    other,
  ])
  t.is(missed.code, 4, missed.out + missed.err)
  t.regex(missed.out, /account 0x0c0c.* is unknown/)
  if (verb === 'test') t.is((await cli(['replay', log[1] ?? ''])).code, 0, 'the run on the fork replays')
})
test('run --fork runs a program on a node or its recording, and exit code 4 tells of missing state', runs, 'run')
test('test --fork runs a program on a node or its recording, and exit code 4 tells of missing state', runs, 'test')

test('what contradicts --fork is refused before a program runs', async (t) => {
  const started = (...flags: string[]) =>
    cli(['run', '--fork', 'http://127.0.0.1:1', ...flags, '--', process.execPath, '-e', program])
  const { code, err, out } = await started('--playback', 'rec')
  t.deepEqual([code, out], [2, ''])
  t.regex(err, /expected --fork without --playback,/)
  const mode = await started('--mode', 'strict')
  t.deepEqual([mode.code, mode.out], [2, ''])
  t.regex(mode.err, /expected --playback beside --mode, received none/)
})

test('a fork that is recorded with a scenario has its fixtures without the node', async (t) => {
  const folder = scratch()
  const [scenario, rec] = [join(folder, 's.json5'), join(folder, 'rec')]
  writeFileSync(
    scenario,
    `{ chainstage: 1, name: 's', fixtures: { accounts: { alice: { balance: '5 evm' } } },
      steps: [{ id: 'funded', expect: { balance: { address: '@alice', equals: '5 evm' } } }] }`,
  )
  const node = await startLocal()
  const reads = ['--', process.execPath, '-e', program]
  const source = ['record', '--level', 'fork', '--eth', node.urls.eth, '--out']
  t.is((await cli([...source, rec, scenario, ...reads])).code, 0)
  t.is((await cli([...source, `${rec}2`, ...reads])).code, 0)
  await node.close()
  const played = await cli(['run', scenario, '--fork', rec, ...reads])
  t.deepEqual([played.code, played.err], [0, ''])
  t.regex(played.out, /balance 0x0\n[^]*ok {10}funded/)
  const without = await cli(['run', scenario, '--fork', `${rec}2`, ...reads])
  t.is(without.code, 1)
  t.regex(
    without.err,
    /FIXTURE_FAILED: .*account 0x[0-9a-f]{40} at height 1 is unknown.*\n.*record SCENARIO --level fork/,
  )
})
