/** A genesis document of a node, whose validators sign with keys that chainstage is given. */
import test from 'ava'
import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { start } from '../../src/index.ts'
import { genesisDocument } from '../../src/app/evmd/genesisDocument.ts'
import { keyPairFromSeed } from '../../src/crypto/keys.ts'
import { profileSettings } from '../../src/settings/profiles.ts'

// The validators of another seed stand for those of a node.
const theirs = createHash('sha256').update('a node').digest()
const genesis = genesisDocument({ ...profileSettings('local'), validators: 3 }, theirs)
const validatorKeys = [0, 1, 2].map((index) => {
  const { seed, publicKey } = keyPairFromSeed(theirs, 'validator', index)
  return Buffer.concat([seed, publicKey]).toString('base64')
})

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
