/** What is known of an Ethereum transaction's Comet bytes without taking them apart. */
import test from 'ava'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { packedMessage, unwrapTx } from '../../../src/app/evmd/ethereum/wrap.ts'
import { decodeTx } from '../../../src/app/evmd/tx/decodeTx.ts'
import { bytesOfHex } from '../../../src/codec/hex.ts'
import { ethereumResponses } from '../../../src/codec/messages/cosmosEvm.ts'
import { evmChainId, startChain } from '../../helpers/evmdChain.ts'

const { ethereum, state } = startChain()
const account = privateKeyToAccount(`0x${'17'.repeat(32)}`)
const to = `0x${'ab'.repeat(20)}` as const
const plain = { chainId: evmChainId, nonce: 3, gas: 50_000n } as const

const known = test.macro({
  exec: async (t, tx: Parameters<typeof account.signTransaction>[0]) => {
    const recovered = ethereum.decode(bytesOfHex(await account.signTransaction(tx)))
    const bytes = ethereum.wrap(state, recovered)
    const [kept, fresh] = [decodeTx(bytes), decodeTx(bytes.slice())]
    t.deepEqual({ ...kept, bytes: undefined }, { ...fresh, bytes: undefined })
    t.deepEqual(fresh.bytes, kept.bytes)
    t.is(unwrapTx(bytes)[0], recovered)
    t.deepEqual(unwrapTx(bytes.slice()), [recovered])
    const [[message], [other]] = [kept.messages, fresh.messages]
    t.is(packedMessage(message?.value ?? bytes).message, recovered)
    t.deepEqual(packedMessage(other?.value ?? bytes), packedMessage(message?.value ?? bytes))
  },
  title: (what = '') => `what was wrapped is known as what its bytes decode to: ${what}`,
})

test('a transfer', known, { ...plain, type: 'eip1559', to, value: 1n, maxFeePerGas: 7n })
test('no fee', known, { ...plain, type: 'legacy', to, gasPrice: 0n })
test('an access list', known, {
  ...plain,
  type: 'eip2930',
  to,
  gasPrice: 5n,
  accessList: [{ address: to, storageKeys: [`0x${'01'.repeat(32)}`] }],
})
test('a creation', known, { ...plain, type: 'eip1559', data: '0x00', maxFeePerGas: 1n })

test('the response of a transaction is known as what its bytes decode to, with output, logs and errors', async (t) => {
  const chain = startChain()
  const sender = mnemonicToAccount('test test test test test test test test test test test junk')
  // Contracts of three kinds, made by their own first code: it logs a word, returns a word, reverts.
  const codes = ['0x60205ff3', '0x5f5f526107aa60205fa160205ff3', '0x60205ffd'] as const
  for (const [nonce, data] of codes.entries()) {
    const raw = await sender.signTransaction({
      chainId: evmChainId,
      nonce,
      gas: 200_000n,
      type: 'eip1559',
      maxFeePerGas: 10_000_000_000n,
      data,
    })
    const { data: bytes } = chain.one(chain.ethereum.wrap(chain.state, chain.ethereum.decode(bytesOfHex(raw))))
    const kept = ethereumResponses(bytes ?? new Uint8Array(0))
    t.is(kept.length, 1)
    t.deepEqual(kept, ethereumResponses((bytes ?? new Uint8Array(0)).slice()))
    t.is(kept[0]?.logs.length, nonce === 1 ? 1 : 0)
    t.is(kept[0]?.vmError, nonce === 2 ? 'execution reverted' : '')
  }
})
