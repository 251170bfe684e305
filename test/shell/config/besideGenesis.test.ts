import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import type { Settings } from '../../../src/settings/settings.ts'
import { start } from '../../../src/shell/start.ts'
import { cli, freePorts, scratch, startCli } from '../../helpers/cli.ts'

const document = readFileSync('genesis/evmd.json', 'utf8')

test('the profile evmd takes another Cosmos chain id', async (t) => {
  const chain = await start({ ports: 'none', settings: { profile: 'evmd', chainId: 'local-4221' } })
  t.teardown(() => chain.close())
  chain.mine(1)
  const { block } = await chain.comet.call<{ block: { header: { chain_id: string } } }>('block', { height: '1' })
  t.is(block.header.chain_id, 'local-4221')
})

const refused = test.macro(async (t, settings: Partial<Settings>, genesis: string | undefined, expected: RegExp) => {
  const error = await t.throwsAsync(start({ ports: 'none', settings, ...(genesis === undefined ? {} : { genesis }) }), {
    code: 'CONTRADICTION',
  })
  t.regex(error.message, expected)
})
test(
  'a base fee has no effect on the recorded genesis, so it is refused',
  refused,
  { profile: 'evmd', baseFee: 7 },
  undefined,
  /^expected no settings\.baseFee beside the profile evmd, whose genesis is recorded, received both$/,
)
test(
  'a number of accounts beside the recorded genesis is refused',
  refused,
  { profile: 'evmd', accounts: 3 },
  undefined,
  /settings\.accounts/,
)
test(
  'a number of validators beside a genesis document is refused',
  refused,
  { validators: 3 },
  document,
  /^expected no settings\.validators beside a genesis document, received both$/,
)
test(
  'a Cosmos chain id other than that of the genesis document is refused',
  refused,
  { chainId: 'other-1' },
  document,
  /^expected the Cosmos chain id of the genesis document, 9001, received other-1$/,
)

test('accounts and the chain id of the document itself are taken beside it', async (t) => {
  const chain = await start({ ports: 'none', settings: { accounts: 2, chainId: '9001' }, genesis: document })
  t.teardown(() => chain.close())
  t.is(chain.keys.length, 2)
})

test('a number as chain id sets that of the EVM alone beside a genesis document', async (t) => {
  const { code, out, err } = await cli(['accounts', '--json', '--genesis', 'genesis/evmd.json', '--chain-id', '1337'])
  t.is(code, 0, out + err)
})
test('a flag beside the recorded genesis is refused by its name', async (t) => {
  const { code, err } = await cli(['accounts', '--profile', 'evmd', '--genesis-time', '2026-01-01T00:00:00Z'])
  t.is(code, 2)
  t.regex(err, /expected no --genesis-time beside the profile evmd.*\nLeave --genesis-time out/)
})

test('a variable beside the recorded genesis is warned of by its name', async (t) => {
  const server = startCli(['start', '--profile', 'evmd', ...freePorts], { CHAINSTAGE_BASE_FEE: '7' })
  await server.says(
    /CHAINSTAGE_BASE_FEE is set, without effect beside the profile evmd, whose genesis is recorded/,
    'err',
  )
  await server.says(/Listening/)
  server.process.kill()
  t.is((await server.ended).code, 0)
})

test('a scenario for another genesis is told which of its settings have no effect', async (t) => {
  const dir = scratch()
  writeFileSync(
    join(dir, 'x.json5'),
    `{ chainstage: 1, name: 'x', chain: { profile: 'evmd', accounts: 3, chainId: 'shop-1' } }`,
  )
  const warning = 'the scenario sets accounts, without effect beside the profile evmd, whose genesis is recorded'
  const alone = await cli(['check', 'x.json5'], {}, dir)
  t.is(alone.err, `x.json5: warning: ${warning}\n`)
  const path = join(process.cwd(), 'genesis/evmd.json')
  const server = startCli(['start', 'x.json5', '--genesis', path, ...freePorts], {}, dir)
  await server.says(/the scenario sets chainId, without effect beside a genesis document/, 'err')
  await server.says(/Listening/)
  server.process.kill()
  t.is((await server.ended).code, 0)
})
