/** Genesis documents of nodes: their validators sign with keys that chainstage is given, or with its own. */
import test from 'ava'
import { toBech32 } from '@cosmjs/encoding'
import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type Server, start } from '../../src/index.ts'
import { genesisDocument } from '../../src/app/evmd/genesisDocument.ts'
import { keyPairFromSeed } from '../../src/crypto/keys.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import { readChain } from '../golden/chains.ts'

// The validators of another seed stand for those of a node.
const theirs = createHash('sha256').update('a node').digest()
const genesis = genesisDocument({ ...profileSettings('local'), validators: 3 }, theirs)
const validatorKeys = [0, 1, 2].map((index) => {
  const { seed, publicKey } = keyPairFromSeed(theirs, 'validator', index)
  return Buffer.concat([seed, publicKey]).toString('base64')
})

const recordedGenesis = (name: string) => JSON.stringify(readChain(name).genesis)

const heightOf = (server: { eth: { request: (call: { method: string }) => Promise<unknown> } }) =>
  server.eth.request({ method: 'eth_blockNumber' })

test('a chain mines with the keys of the validators of its genesis document', async (t) => {
  const logged: string[] = []
  const log = (_: string, text: string) => logged.push(text)
  await using server = await start({ ports: 'none', genesis, settings: { validatorKeys }, log })
  await server.eth.request({ method: 'evm_mine' })
  t.is(await heightOf(server), '0x2')
  t.deepEqual(logged, [])
})

const consensusKeysOf = async (server: Server) => {
  const { result } = await json(`${server.urls.comet}/validators`)
  return result.validators.map((one) => one.pub_key.value)
}
const json = async (url: string) =>
  (await (await fetch(url)).json()) as { result: { validators: { pub_key: { value: string } }[] } }

const mines = test.macro(async (t, document: string, count: number) => {
  const logged: string[] = []
  const log = (level: string, text: string) => logged.push(`${level}: ${text}`)
  await using server = await start({ ports: 'free', genesis: document, settings: { blocks: 'manual' }, log })
  const from = BigInt(String(await heightOf(server)))
  for (let left = 3; left > 0; left--) await server.eth.request({ method: 'evm_mine' })
  t.is(BigInt(String(await heightOf(server))), from + 3n)
  t.regex(logged.join('\n'), /^info: the validators of the genesis document have other keys, .*--validator-keys/)
  const keys = await consensusKeysOf(server)
  t.is(new Set(keys).size, count)
  for (const key of keys) t.false(document.includes(key))
  const { node } = server.simulation()
  t.false(node.chain.genesis.document.includes(inBech32(theirs.toString('base64'))))
  await using again = await start({ ports: 'free', genesis: document, settings: { blocks: 'manual' } })
  t.deepEqual(await consensusKeysOf(again), keys)
})

test('without keys, the validators of a document get others, always the same', mines, genesis, 3)
test('so do those that transactions of a document make', mines, recordedGenesis('prefix'), 2)
// The bonded validator of this document has a key that every chain knows. Here it has another one.
const [known, foreign] = ['DsS4h53SOQ7NIx2VGT8lvnHOoVOFqIPc+VE+uBPYBXw=', theirs.toString('base64')]
const inBech32 = (key: string) => {
  const address = createHash('sha256').update(Buffer.from(key, 'base64')).digest().subarray(0, 20)
  return toBech32('cosmosvalcons', address)
}
const exported = recordedGenesis('exported').replaceAll(known, foreign).replaceAll(inBech32(known), inBech32(foreign))

test('so do those of an exported document, which has their signing infos', mines, exported, 1)

const keyless = test.macro(async (t, settings: object) => {
  const logged: string[] = []
  const log = (level: string, text: string) => logged.push(`${level}: ${text}`)
  await using server = await start({ ports: 'none', genesis, settings, log })
  for (let left = 500; left > 0 && logged.length === 0; left--) await setTimeout(10)
  t.regex(logged[0] ?? '', /^warn: no block was mined: .* \(Give the private keys .* with --validator-keys/)
  t.is(await heightOf(server), '0x0')
  await t.throwsAsync(server.eth.request({ method: 'evm_mine' }), {
    message: /1000 of 3000 power; a block needs more than two thirds, and the keys of 2000 power are missing/,
  })
  t.is(logged.length, 1)
})

test('without most of the keys, the log says how to give them', keyless, { validatorKeys: validatorKeys.slice(0, 1) })
test('without most of the keys, a chain with blocks at intervals says so too', keyless, {
  validatorKeys: validatorKeys.slice(0, 1),
  blocks: 'interval',
  interval: '10ms',
})

test('a key that is none is refused', async (t) => {
  await t.throwsAsync(start({ ports: 'none', genesis, settings: { validatorKeys: ['c2hvcnQ='] } }), {
    code: 'BAD_SETTING',
    message: /expected 64 bytes in base64 for each key/,
  })
})
