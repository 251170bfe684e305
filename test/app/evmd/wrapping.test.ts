/** What is known of an Ethereum transaction's Comet bytes without taking them apart. */
import test from 'ava'
import { privateKeyToAccount } from 'viem/accounts'
import { packedMessage, unwrapTx } from '../../../src/app/evmd/ethereum/wrap.ts'
import { decodeTx } from '../../../src/app/evmd/tx/decodeTx.ts'
import { bytesOfHex } from '../../../src/codec/hex.ts'
import { evmChainId, startChain } from '../../helpers/evmdChain.ts'

const { ethereum } = startChain()
const account = privateKeyToAccount(`0x${'17'.repeat(32)}`)
const to = `0x${'ab'.repeat(20)}` as const
const plain = { chainId: evmChainId, nonce: 3, gas: 50_000n } as const

const known = test.macro({
  exec: async (t, tx: Parameters<typeof account.signTransaction>[0]) => {
    const recovered = ethereum.decode(bytesOfHex(await account.signTransaction(tx)))
    const bytes = ethereum.wrap(recovered)
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
