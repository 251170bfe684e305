/** Contracts that stand in for precompiles of other chains. */
import test from 'ava'
import { readFileSync } from 'node:fs'
import { type Server, start } from '../../src/index.ts'

const precompile = '0x0000000000000000000000000000000000000807'
// PUSH1 42 PUSH1 0 MSTORE PUSH1 32 PUSH1 0 RETURN
const returns42 = '0x602a60005260206000f3'
const asked = (server: Server) => (method: string, params: unknown[]) => server.eth.request({ method, params })

test('code at an active precompile that is missing runs as that of a contract', async (t) => {
  await using server = await start({ ports: 'none', genesis: readFileSync('genesis/evmd.json', 'utf8') })
  const ask = asked(server)
  const called = () => ask('eth_call', [{ to: precompile }, 'latest'])
  const panic = { message: /precompiled contract not stored in memory/ }
  await t.throwsAsync(called, panic)
  await ask('anvil_setCode', [precompile, returns42])
  t.is(await called(), `0x${'2a'.padStart(64, '0')}`)
  const [from] = (await ask('eth_accounts', [])) as string[]
  await ask('anvil_setBalance', [from, '0xde0b6b3a7640000'])
  const hash = await ask('eth_sendTransaction', [{ from, to: precompile, gas: '0x20000' }])
  t.like(await ask('eth_getTransactionReceipt', [hash]), { status: '0x1', to: precompile })
  await ask('anvil_setCode', [precompile, '0x'])
  await t.throwsAsync(called, panic)
})

test('code at a precompile that chainstage has does not run', async (t) => {
  await using server = await start({ ports: 'none' })
  const ask = asked(server)
  const bech32 = '0x0000000000000000000000000000000000000400'
  await ask('anvil_setCode', [bech32, returns42])
  await t.throwsAsync(ask('eth_call', [{ to: bech32 }, 'latest']), { message: /execution reverted/ })
})
