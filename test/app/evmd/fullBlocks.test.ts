/** What enters a block when not everything that waits fits into its gas limit of 30,000,000. */
import test from 'ava'
import { localSimulation } from '../../helpers/ethSimulation.ts'
import type { Settings } from '../../../src/settings/settings.ts'

type Sent = { readonly from: number; readonly gas: number; readonly gwei: number }

/** Starts a chain with ten accounts; transactions are named by their sender. */
function start(settings: Partial<Settings>) {
  const { call } = localSimulation({ blocks: 'manual', ...settings })
  const accounts = call('eth_accounts').result as readonly string[]
  const hex = (value: number) => `0x${value.toString(16)}`
  return {
    call,
    send: ({ from, gas, gwei }: Sent) =>
      call('eth_sendTransaction', {
        from: accounts[from],
        to: accounts[9],
        gas: hex(gas),
        gasPrice: hex(gwei * 1e9),
      }).error?.message,
    /** Returns the senders of the transactions in the newest block. */
    mined: () => {
      const block = call('eth_getBlockByNumber', 'latest', true).result as { transactions: { from: string }[] }
      return block.transactions.map(({ from }) => accounts.indexOf(from))
    },
  }
}

const large = 20_000_000
const small = 21_000

test('a transaction that does not fit is left out with the later ones of its sender, and cheaper ones still fit', (t) => {
  const { call, send, mined } = start({ mempoolMaxTxs: 0 })
  const all = [
    { from: 0, gas: large, gwei: 5 },
    { from: 1, gas: large, gwei: 4 },
    { from: 1, gas: small, gwei: 9 },
    { from: 2, gas: small, gwei: 3 },
    { from: 3, gas: small, gwei: 2 },
  ]
  for (const one of all) t.is(send(one), undefined)
  call('evm_mine')
  t.deepEqual(mined(), [0, 2, 3])
  call('evm_mine')
  t.deepEqual(mined(), [1, 1])
})

test('without the mempool of the EVM a block ends before the first transaction that does not fit', (t) => {
  const { call, send, mined } = start({ mempoolMaxTxs: -1 })
  for (const from of [0, 1]) t.is(send({ from, gas: large, gwei: 5 }), undefined)
  t.is(send({ from: 2, gas: small, gwei: 5 }), undefined)
  call('evm_mine')
  t.deepEqual(mined(), [0])
  call('evm_mine')
  t.deepEqual(mined(), [1, 2])
})

test('automine mines as many blocks as the waiting transactions need', (t) => {
  const { call, send, mined } = start({ mempoolMaxTxs: 0 })
  for (const from of [0, 1, 2]) t.is(send({ from, gas: large, gwei: 20 - from }), undefined)
  // This one waits until the base fee has fallen.
  t.is(send({ from: 4, gas: small, gwei: 5 }), undefined)
  call('anvil_setNextBlockBaseFeePerGas', '0x1dcd65000')
  call('evm_setAutomine', true)
  t.deepEqual(call('txpool_status').result, { pending: '0x1', queued: '0x0' })
  t.deepEqual(mined(), [2])
  t.is(send({ from: 3, gas: large, gwei: 17 }), undefined)
  t.deepEqual(mined(), [3])
})
