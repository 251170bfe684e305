/**
 * How much is done for transactions and blocks, counted and not timed: what must not grow with the
 * number of transactions, and what may grow only in step with it.
 */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import test from 'ava'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { encodeFunctionData, getContractAddress } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { bytesOfHex } from '../../../src/codec/hex.ts'
import { useKeccak } from '../../../src/crypto/hash.ts'
import type { TreeNode } from '../../../src/data/treeNode.ts'
import type { Engine } from '../../../src/evm/engine.ts'
import { demoToken } from '../../helpers/contracts.ts'
import { testEngine } from '../../helpers/engine.ts'
import { localSimulation } from '../../helpers/ethSimulation.ts'
import { evmChainId, startChain, type TestChain } from '../../helpers/evmdChain.ts'

const sender = mnemonicToAccount('test test test test test test test test test test test junk')
const receiver = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const [few, many] = [4, 20] as const

const signed = await Promise.all(
  Array.from({ length: few + many }, (_, nonce) =>
    sender.signTransaction({
      chainId: evmChainId,
      nonce,
      to: receiver,
      value: 1n,
      gas: 21_000n,
      maxFeePerGas: 10_000_000_000n,
      maxPriorityFeePerGas: 1n,
    }),
  ),
)

/** In bytes of SHA-256, a few above today's: heights and amounts have more digits at times. */
const mostHashed = { emptyBlock: 8200, accepted: 280, mined: 600 }

/** An engine that notes what it is asked to run. */
function noting(): { readonly engine: Engine; readonly calls: Parameters<Engine['execute']>[] } {
  const engine = testEngine()
  const calls: Parameters<Engine['execute']>[] = []
  return {
    calls,
    engine: {
      ...engine,
      execute: (...call) => {
        calls.push(call)
        return engine.execute(...call)
      },
    },
  }
}

function wrapped({ ethereum, state }: TestChain, raws: readonly `0x${string}`[]): readonly Uint8Array[] {
  return raws.map((raw) => ethereum.wrap(state, ethereum.decode(bytesOfHex(raw))))
}

/** Tree nodes that the last block made. */
function nodesMade({ state: { committed, height } }: TestChain): number {
  const made = (node: TreeNode | undefined): number => {
    if (node === undefined || node.version !== Number(height)) return 0
    return 1 + made(node.left) + made(node.right)
  }
  return [...committed.values()].reduce((sum, { root }) => sum + made(root), 0)
}

test('a block runs the engine once a transaction, in one environment', (t) => {
  const { engine, calls } = noting()
  const chain = startChain({ engine })
  chain.block()
  const txs = wrapped(chain, signed.slice(0, few))
  for (const tx of txs) {
    const { state, result } = chain.application.checkTx(chain.state, tx, 'new')
    t.is(result.code, 0)
    chain.state = state
  }
  t.is(calls.length, 0, 'the mempool runs nothing')
  t.true(chain.block(...txs).txResults.every(({ code }) => code === 0))
  t.is(calls.length, few)
  t.is(new Set(calls.map(([env]) => env)).size, 1)
  t.is(new Set(calls.map(([, , , options]) => options?.host?.addresses)).size, 1)
})

test('the tree nodes of a block do not grow with transfers between the same accounts', (t) => {
  const chain = startChain()
  chain.block()
  const { state } = chain
  const made = (count: number): number => {
    chain.state = state
    const { txResults } = chain.block(...wrapped(chain, signed.slice(0, count)))
    t.is(txResults.filter(({ code }) => code === 0).length, count)
    return nodesMade(chain)
  }
  t.is(made(few + many), made(few))
  t.true(made(0) < made(few))
})

test('mining hashes for Ethereum only what a block is asked for', (t) => {
  const chain = localSimulation()
  chain.call('evm_setAutomine', false)
  let bytes = 0
  useKeccak((input) => {
    bytes += input.length
    return keccak_256(input)
  })
  const spent = (act: () => void): number => {
    const before = bytes
    act()
    return bytes - before
  }
  const accepted = spent(() => {
    for (const raw of signed) chain.call('eth_sendRawTransaction', raw)
  })
  // Its hash, the payload that was signed, the key of the sender; nothing twice.
  const sizes = signed.reduce((sum, raw) => sum + bytesOfHex(raw).length, 0)
  t.true(accepted <= 2 * sizes + signed.length * 64, `${accepted} bytes hashed for ${sizes}`)
  const mined = spent(() => chain.call('evm_mine'))
  t.true(mined <= signed.length * 100, `${mined} bytes hashed for ${signed.length} transactions`)
  const read = () => chain.call('eth_getBlockByNumber', 'latest', false)
  t.true(spent(read) > sizes)
  t.is(spent(read), 0)
})

test.serial('the bytes that SHA-256 hashes grow with the transactions of a block only', (t) => {
  const original = crypto.hash
  let bytes = 0
  crypto.hash = ((name: string, input: string | Uint8Array, form: 'binary') => {
    if (name === 'sha256') bytes += input.length
    return original(name, input, form)
  }) as typeof crypto.hash
  syncBuiltinESMExports()
  try {
    const chain = localSimulation()
    chain.call('evm_setAutomine', false)
    const spentOn = (count: number): { readonly accepted: number; readonly mined: number } => {
      const [first, before] = [sent, bytes]
      for (; sent < first + count; sent++) chain.call('eth_sendRawTransaction', signed[sent])
      const accepted = bytes - before
      chain.call('evm_mine')
      return { accepted, mined: bytes - before - accepted }
    }
    let sent = 0
    spentOn(0)
    const [empty, small, large] = [spentOn(0), spentOn(few), spentOn(many)]
    t.log(JSON.stringify({ empty, small, large }))
    t.true(empty.mined > 0 && empty.mined <= mostHashed.emptyBlock, `${empty.mined} bytes for an empty block`)
    t.true(large.accepted <= many * mostHashed.accepted, `${large.accepted} bytes to accept ${many}`)
    const each = (large.mined - small.mined) / (many - few)
    t.true(each > 0 && each <= mostHashed.mined, `${each} bytes for each transaction of a block`)
  } finally {
    crypto.hash = original
    syncBuiltinESMExports()
  }
})

test('an estimate of a transfer of tokens runs the message twice', async (t) => {
  const { engine, calls } = noting()
  const chain = startChain({ engine })
  chain.block()
  const { abi, bytecode: data } = demoToken()
  const fees = { maxFeePerGas: 10_000_000_000n, maxPriorityFeePerGas: 1n }
  const raw = await sender.signTransaction({ chainId: evmChainId, nonce: 0, gas: 3_000_000n, data, ...fees })
  t.deepEqual(
    chain.block(...wrapped(chain, [raw])).txResults.map(({ code }) => code),
    [0],
  )
  const before = calls.length
  const to = getContractAddress({ from: sender.address, nonce: 0n })
  const args = {
    from: sender.address,
    to,
    data: encodeFunctionData({ abi, functionName: 'transfer', args: [receiver, 5n] }),
  }
  const json = Buffer.from(JSON.stringify(args))
  const head = Uint8Array.of(0x0a, (json.length & 0x7f) | 0x80, json.length >>> 7)
  // The cap of gas is 3,000,000.
  const bytes = Uint8Array.of(...head, ...json, 0x10, 0xc0, 0x8d, 0xb7, 0x01)
  const { state, application } = chain
  const query = { path: '/cosmos.evm.vm.v1.Query/EstimateGas', data: bytes, height: 0n, prove: false }
  const { code, log } = application.query(state, query, {
    stateAt: () => state,
    latestHeight: state.height,
    earliestHeight: 1n,
    chainId: 'chainstage-1',
  })
  t.is(code, 0, log)
  t.is(calls.length - before, 2, 'with all the gas, and with what that took')
})
