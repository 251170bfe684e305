import { readFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import test, { type ExecutionContext } from 'ava'
import { demoToken } from '../../helpers/contracts.ts'
import { localSimulation, type Asked } from '../../helpers/ethSimulation.ts'

const path = new URL('../../../../test/rpc/dev/anvilState.json', import.meta.url)
/**
 * What Anvil 1.7.1 answered after a deployment with two words of storage and a transfer of one
 * coin.
 */
const { dump } = JSON.parse(readFileSync(path, 'utf8')) as { dump: string }

type Dump = {
  accounts: Record<string, { nonce: number; balance: string; code: string; storage: Record<string, string> }>
}
const opened = (hex: unknown) => JSON.parse(gunzipSync(Buffer.from(String(hex).slice(2), 'hex')).toString()) as Dump
const packed = (text: string) => `0x${gzipSync(text).toString('hex')}`

const alice = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const bob = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const contract = '0x5fbdb2315678afecb367f032d93f642f64180aa3'

test('demand 21: what Anvil dumped is there after loading it, and stays through the next block', (t) => {
  const chain = localSimulation()
  t.is(chain.call('anvil_loadState', dump).result, true)
  for (const _ of ['at once', 'in the next block']) {
    t.is(chain.call('eth_getTransactionCount', alice, 'latest').result, '0x2')
    t.is(chain.call('eth_getBalance', bob, 'latest').result, '0x21e27c1806e59a40000')
    t.is(chain.call('eth_getCode', contract, 'latest').result, '0x6000396000f36000356020')
    t.regex(String(chain.call('eth_getStorageAt', contract, '0x1', 'latest').result), /^0x0{63}7$/)
    chain.call('evm_mine')
  }
})

test('a dump holds what another chain needs to call the same contract, and dumps to the same text again', (t) => {
  const chain = localSimulation()
  const { bytecode } = demoToken()
  const sent = chain.call('eth_sendTransaction', { from: alice, data: bytecode, gas: '0x2dc6c0' }).result
  const { contractAddress: token } = chain.call('eth_getTransactionReceipt', sent).result as {
    contractAddress: string
  }
  const other = localSimulation()
  const taken = chain.call('anvil_dumpState').result
  t.is(other.call('hardhat_loadState', taken).result, true)
  const balanceOf = { to: token, data: `0x70a08231${alice.slice(2).padStart(64, '0')}` }
  const wanted = chain.call('eth_call', balanceOf, 'latest').result
  t.not(BigInt(String(wanted)), 0n)
  t.is(other.call('eth_call', balanceOf, 'latest').result, wanted)
  t.deepEqual(opened(other.call('hardhat_dumpState').result).accounts, opened(taken).accounts)
  t.is(chain.call('anvil_dumpState').result, taken)
})

function refuses(t: ExecutionContext, state: string, expected: RegExp): void {
  const chain: Asked = localSimulation()
  const before = chain.call('anvil_dumpState').result
  const { error } = chain.call('anvil_loadState', state) as {
    error?: { code: number; message: string }
  }
  t.is(error?.code, -32602)
  t.regex(error?.message ?? '', expected)
  t.is(chain.call('anvil_dumpState').result, before)
}

const owning = (account: object) =>
  packed(
    JSON.stringify({ accounts: { [alice]: { nonce: 1, balance: '0x5', code: '0x', storage: {} }, [bob]: account } }),
  )

test(
  'a dump that is cut short is refused',
  refuses,
  dump.slice(0, 2000),
  /expected a dump from anvil_dumpState: not gzip/,
)
test('bytes that are no dump are refused', refuses, '0x1234', /not gzip/)
test('a dump without accounts is refused', refuses, packed('{}'), /expected an object with the member `accounts`/)
test('a dump that is no JSON is refused', refuses, packed('x'), /invalid character 'x'/)
test(
  'one bad account refuses the whole dump',
  refuses,
  owning({ nonce: -1, balance: '0x0', code: '0x', storage: {} }),
  /account 0x7099.*: .*whole number of transactions/,
)
test(
  'a storage slot of another length refuses the whole dump',
  refuses,
  owning({ nonce: 1, balance: '0x0', code: '0x', storage: { '0x1': '0x1' } }),
  /account 0x7099/,
)
