/** COINBASE and PREVRANDAO as an operator sets them: in code, in blocks, in traces. */
import test from 'ava'
import { localSimulation, type Asked } from '../../helpers/ethSimulation.ts'

const alice = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const miner = '0x00000000000000000000000000000000c01bba5e'
const keeper = '0x000000000000000000000000000000000000c0de'
const random = `0x${'5a'.repeat(32)}`
const constant = `0x${'ff'.repeat(32)}`

/** Keeps COINBASE in slot 0 and PREVRANDAO in slot 1. */
const keeps = '0x415f5544600155'
/** Returns both. */
const returns = '0x415f524460205260405ff3'

type Kept = {
  readonly coinbase: string
  readonly prevRandao: string
  readonly miner: string
  readonly mixHash: string
  readonly gas: string
}

/** What a transaction saw, and what its block says. */
function keptBy({ call }: Asked): Kept {
  const hash = call('eth_sendTransaction', { from: alice, to: keeper, gas: '0x20000' }).result
  const slot = (at: string) => call('eth_getStorageAt', keeper, at, 'latest').result as string
  const block = call('eth_getBlockByNumber', 'latest', false).result as Kept
  const { gas } = call('debug_traceTransaction', hash).result as { gas: string }
  return {
    coinbase: `0x${slot('0x0').slice(26)}`,
    prevRandao: slot('0x1'),
    miner: block.miner,
    mixHash: block.mixHash,
    gas,
  }
}

for (const prefix of ['anvil', 'hardhat']) {
  test(`${prefix}_setCoinbase holds from the next block on, until it is taken back or reset`, (t) => {
    const chain = localSimulation()
    chain.call('anvil_setCode', keeper, keeps)
    const own = keptBy(chain)
    t.is(own.coinbase, own.miner)
    t.not(own.miner, miner)
    chain.call(`${prefix}_setCoinbase`, miner)
    t.is((chain.call('eth_getBlockByNumber', 'latest', false).result as Kept).miner, own.miner)
    for (let block = 0; block < 2; block++) t.like(keptBy(chain), { coinbase: miner, miner })
    chain.call(`${prefix}_setCoinbase`, null)
    t.like(keptBy(chain), { coinbase: own.miner, miner: own.miner })
    chain.call(`${prefix}_setCoinbase`, miner)
    chain.call('evm_mine')
    chain.call(`${prefix}_reset`)
    chain.call('evm_mine')
    t.is((chain.call('eth_getBlockByNumber', 'latest', false).result as Kept).miner, own.miner)
  })

  test(`${prefix}_setPrevRandao is for the next block alone`, (t) => {
    const chain = localSimulation()
    chain.call('anvil_setCode', keeper, keeps)
    t.like(keptBy(chain), { prevRandao: constant, mixHash: `0x${'00'.repeat(32)}` })
    chain.call(`${prefix}_setPrevRandao`, random)
    t.like(keptBy(chain), { prevRandao: random, mixHash: random })
    t.is(keptBy(chain).prevRandao, constant)
  })
}

test('calls and traces see what their block saw, a checkpoint takes it back', (t) => {
  const chain = localSimulation()
  chain.call('anvil_setCode', keeper, returns)
  chain.call('evm_mine')
  const ask = (at: string) => (chain.call('eth_call', { to: keeper }, at).result as string).slice(2)
  const before = ask('latest')
  const id = chain.call('evm_snapshot').result
  chain.call('anvil_setCoinbase', miner)
  chain.call('anvil_setPrevRandao', random)
  t.is(ask('latest'), before)
  chain.call('anvil_mine', 2)
  t.is(ask('0x3'), `${'00'.repeat(12)}${miner.slice(2)}${random.slice(2)}`)
  t.is(ask('0x4'), `${'00'.repeat(12)}${miner.slice(2)}${constant.slice(2)}`)
  t.is(ask('0x2'), before)
  const trace = chain.call('debug_traceCall', { to: keeper }, '0x3', {}).result as {
    returnValue: string
  }
  t.regex(trace.returnValue, new RegExp(`${miner.slice(2)}${random.slice(2)}$`))
  chain.call('evm_revert', id)
  chain.call('evm_mine')
  t.is(ask('latest'), before)
})

test('a transaction in a block with another coinbase is traced with it', (t) => {
  const chain = localSimulation()
  chain.call('anvil_setCode', keeper, keeps)
  chain.call('anvil_setCoinbase', miner)
  const hash = chain.call('eth_sendTransaction', { from: alice, to: keeper, gas: '0x20000' }).result
  const { structLogs } = chain.call('debug_traceTransaction', hash, { disableStack: false }).result as {
    structLogs: { op: string; stack: string[] }[]
  }
  const store = structLogs.find(({ op }) => op === 'SSTORE')
  t.is(BigInt(store?.stack.at(-2) ?? '0x0'), BigInt(miner))
})

test('a gas limit acts in the next block: as it says, and in what it takes', (t) => {
  const { call } = localSimulation({ blocks: 'manual' })
  call('evm_mine')
  for (let sent = 0; sent < 2; sent++) {
    call('eth_sendTransaction', { from: alice, to: miner, gas: '0x5208' })
  }
  call('evm_setBlockGasLimit', '0x5210')
  call('evm_mine')
  const limited = call('eth_getBlockByNumber', 'latest', false).result as {
    readonly gasLimit: string
    readonly transactions: readonly string[]
  }
  t.is(limited.gasLimit, '0x5210')
  t.is(limited.transactions.length, 1)
  const tooMuch = call('eth_sendTransaction', { from: alice, to: miner, gas: '0x5211' })
  t.truthy(tooMuch.error, 'more gas than a block has')
})

/** The gas of a message that looks at the account of COINBASE, and of one that looks at address 0. */
function gasOfLooks(quirks: readonly string[]): readonly number[] {
  const { call } = localSimulation({ quirks: [...quirks] })
  return ['0x413f00', '0x5f3f00'].map((data) => Number(call('eth_estimateGas', { from: alice, data }).result))
}

test('COINBASE begins warm (EIP-3651), and address 0 in its place with quirk coinbase-cold', (t) => {
  const [warm, cold] = gasOfLooks([])
  t.is(cold! - warm!, 2_500)
  t.deepEqual(gasOfLooks(['coinbase-cold']), [cold, warm])
})
