/**
 * Chains of a real node (`evmd` v0.5.0), replayed block by block: the application gets the same genesis,
 * times, hashes, votes, evidence and transactions, and must give the same results: app hash, events in
 * their order, results of transactions with gas and log, and updates of validators and parameters.
 * `scripts/recordChain.mjs` records another one.
 */
import test from 'ava'
import { readChain, replay } from './chains.ts'

const replays = test.macro((t, name: string) => {
  const chain = readChain(name)
  const { count, differences } = replay(chain)
  t.true(differences.length === 0, differences.slice(0, 20).join('\n'))
  t.is(count, chain.blocks.length)
  t.log(`${count} blocks, ${chain.blocks.flatMap(({ txs }) => txs).length} transactions`)
})

test('a chain of messages of many modules is executed as the node did', replays, 'messages')
test('a chain of governance and parameters is executed as the node did', replays, 'parameters')
test('a chain of Ethereum transactions is executed as the node did', replays, 'ethereum')
test('a chain of contracts that call, make and destroy each other is executed as the node did', replays, 'programs')
test('a chain of tokens that misbehave when they are converted is executed as the node did', replays, 'tokens')
test('a chain whose coin has 6 decimals is executed as the node did', replays, 'decimals')
test('a chain with another prefix of addresses is executed as the node did', replays, 'prefix')
test('a chain with access lists for creations and calls is executed as the node did', replays, 'access')
test(
  'a chain that begins with an export of grants, proposals and unbondings is executed as the node did',
  replays,
  'exported',
)
