/**
 * What the EVM's mempool refuses for what waits in it, in the words of a real node: each answer was
 * recorded from one that got the same transactions (`--mempool.max-txs 0`).
 */
import test from 'ava'
import { BinaryWriter } from 'cosmjs-types/binary'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { bytesToHex, type Hex, hexToBytes } from 'viem'
import { mnemonicToAccount, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { localSimulation } from '../../helpers/ethSimulation.ts'

const mnemonic = 'test test test test test test test test test test test junk'

function person(addressIndex: number): PrivateKeyAccount {
  const { privateKey } = mnemonicToAccount(mnemonic, { addressIndex }).getHdKey()
  return privateKeyToAccount(bytesToHex(privateKey ?? new Uint8Array(0)))
}

const [a, b, c, d] = [person(0), person(1), person(2), person(3)]
const chainId = 31_337
const target = '0x00000000000000000000000000000000000000aa'
const [coin, gwei] = [10n ** 18n, 10n ** 9n]

type Given = {
  value?: bigint
  price?: bigint
  gas?: bigint
  data?: Hex
  type?: 'create' | 'legacy'
  authorities?: readonly (readonly [PrivateKeyAccount, nonce: number])[]
}

async function signed(who: PrivateKeyAccount, nonce: number, given: Given): Promise<Hex> {
  const { value = 0n, price = 20n * gwei, gas = 100_000n, data, type, authorities = [] } = given
  const to = type === 'create' ? undefined : target
  const plain = { chainId, gas, nonce, value, ...(data === undefined ? {} : { data }) }
  const fees = { maxFeePerGas: price, maxPriorityFeePerGas: price }
  if (type === 'legacy') return await who.signTransaction({ ...plain, to, type: 'legacy', gasPrice: price })
  if (authorities.length === 0) return await who.signTransaction({ ...plain, to, type: 'eip1559', ...fees })
  const list = authorities.map(([one, at]) => one.signAuthorization({ chainId, address: target, nonce: at }))
  return await who.signTransaction({
    ...plain,
    to,
    type: 'eip7702',
    ...fees,
    authorizationList: await Promise.all(list),
  })
}

/** Returns the bytes for CometBFT of an Ethereum transaction that costs 100,000 times 20 gwei. */
function wrapped(from: Hex, raw: Hex): string {
  const message = new BinaryWriter().uint32(42).bytes(hexToBytes(from)).uint32(50).bytes(hexToBytes(raw)).finish()
  const option = { typeUrl: '/cosmos.evm.vm.v1.ExtensionOptionsEthereumTx', value: new Uint8Array(0) }
  const bodyBytes = TxBody.encode(
    TxBody.fromPartial({
      messages: [{ typeUrl: '/cosmos.evm.vm.v1.MsgEthereumTx', value: message }],
      extensionOptions: [option],
    }),
  ).finish()
  const fee = { amount: [{ denom: 'atest', amount: String(100_000n * 20n * gwei) }], gasLimit: 100_000n }
  const authInfoBytes = AuthInfo.encode(AuthInfo.fromPartial({ fee })).finish()
  return Buffer.from(TxRaw.encode(TxRaw.fromPartial({ bodyBytes, authInfoBytes })).finish()).toString('base64')
}

function start() {
  const chain = localSimulation({ mempoolMaxTxs: 0, blocks: 'manual' })
  const prefix = 'failed to broadcast transaction: '
  return {
    mine: () => chain.call('evm_mine'),
    status: () => chain.call('txpool_status').result,
    /** Returns the reason of eth_sendRawTransaction, or "ok". */
    send: async (who: PrivateKeyAccount, nonce: number, given: Given = {}): Promise<string> => {
      const { error } = chain.call('eth_sendRawTransaction', await signed(who, nonce, given))
      return error === undefined ? 'ok' : error.message.replace(prefix, '').replace(/: internal$/, '')
    },
    /** Returns the answer of broadcast_tx_sync. */
    sync: async (who: PrivateKeyAccount, nonce: number, given: Omit<Given, 'price' | 'gas'> = {}): Promise<string> => {
      const outputs = chain.comet('broadcast_tx_sync', { tx: wrapped(who.address, await signed(who, nonce, given)) })
      const reply = outputs.find((one) => one.kind === 'reply')
      const { result } = JSON.parse(reply?.body ?? '{}') as { result: { code: number; codespace: string; log: string } }
      return `${result.code} ${result.codespace} ${result.log}`
    },
  }
}

const short = 'insufficient funds for gas * price + value: balance 10000000000000000000000, '
const gapped = 'gapped-nonce tx from delegated accounts'
const busy = 'in-flight transaction limit reached for delegated accounts'
const reserved = 'authority already reserved'
const underpriced = 'replacement transaction underpriced'
const most = 6_000n * coin
const dearer = { price: 40n * gwei }
const waits = (pending: number, queued = 0) => ({
  pending: `0x${pending.toString(16)}`,
  queued: `0x${queued.toString(16)}`,
})

test('the balance of the last block must pay for all that is pending, before prices are compared', async (t) => {
  const { send, sync, status } = start()
  const second = `${short}queued cost 6000002000000000000000, tx cost 6000002000000000000000, overshot 2000004000000000000000`
  t.is(await send(a, 0, { value: most }), 'ok')
  t.is(await send(a, 1, { value: most }), second)
  t.is(await send(a, 1, { value: 1n }), 'ok')
  t.is(
    await sync(a, 2, { value: most }),
    `1 undefined ${short}queued cost 6000004000000000000001, tx cost 6000002000000000000000, ` +
      'overshot 2000006000000000000001',
  )
  // The refused transaction has used the nonce of CheckTx; the pool takes this one nevertheless.
  t.is(
    await sync(a, 2, { value: 1n }),
    '1 undefined invalid nonce; got 2, expected 3: tx nonce is lower than account nonce',
  )
  t.deepEqual(status(), waits(3))
  t.is(await send(a, 0, { value: most, price: 21n * gwei }), underpriced)
  t.is(await send(a, 0, { value: 9_999n * coin, ...dearer }), 'ok')
  t.is(
    await send(a, 0, { value: 10_000n * coin, ...dearer }),
    'failed to check sender balance: sender balance < tx cost ' +
      '(9999994000000000000000 < 10000004000000000000000): insufficient funds: insufficient funds',
  )
  t.is(
    await send(a, 1, { value: most }),
    `${short}queued cost 9999008000000000000002, tx bumped 5999999999999999999999, overshot 5999008000000000000001`,
  )
  t.is(await send(c, 0, { value: most, type: 'create' }), 'ok')
  t.is(await send(c, 1, { value: most, type: 'create' }), second)
  t.is(await send(d, 0, { value: most, type: 'legacy' }), 'ok')
  t.is(await send(d, 1, { value: most, type: 'legacy' }), second)
})

test('what is queued costs its sender nothing until it is pending', async (t) => {
  const { send, sync, status } = start()
  t.is(await send(b, 2, { value: most }), 'ok')
  t.is(await send(b, 3, { value: most }), 'ok')
  t.is(await send(b, 2, { value: most + 1n }), underpriced)
  t.is(await send(b, 2, { value: most + 1n, price: 30n * gwei }), 'ok')
  t.is(await send(b, 0, { value: 5_000n * coin }), 'ok')
  const over = `${short}queued cost 5000002000000000000000, tx cost 6000002000000000000000, overshot 1000004000000000000000`
  t.is(await send(b, 4, { value: most }), over)
  t.is(await sync(b, 4, { value: most }), `1 undefined ${over}`)
  t.is(
    await sync(b, 4, { value: 1n }),
    '1 undefined tx nonce: 4, account accountNonce: 1: tx nonce is higher than account nonce',
  )
  t.deepEqual(status(), waits(1, 3))
  t.is(await send(b, 1, { value: 1n }), 'ok')
  t.deepEqual(status(), waits(5))
  t.is(
    await send(b, 5, { value: 1n }),
    `${short}queued cost 17000011000000000000003, tx cost 2000000000000001, overshot 7000013000000000000004`,
  )
})

test('a transaction after a refused one is queued until the nonce is used', async (t) => {
  const { send, sync, status, mine } = start()
  t.is(await send(a, 0, { value: most }), 'ok')
  t.regex(await send(a, 1, { value: most }), /^insufficient funds for gas/)
  t.is(await sync(a, 2), '0  ')
  t.is(await send(a, 2, dearer), 'ok')
  t.deepEqual(status(), waits(1, 1))
  t.is(await send(a, 1), 'ok')
  t.deepEqual(status(), waits(3))
  mine()
  t.deepEqual(status(), waits(0))
})

test('an account with a waiting authorization has one transaction at a time, which may be replaced', async (t) => {
  const { send, sync, status } = start()
  t.is(await send(a, 0, { authorities: [[b, 0]] }), 'ok')
  t.is(await send(b, 1), gapped)
  t.is(await sync(b, 1), `1 undefined ${gapped}`)
  t.is(await send(b, 0), 'ok')
  t.is(await send(b, 1), busy)
  t.is(await sync(b, 1), `1 undefined ${busy}`)
  t.is(await send(b, 2), busy)
  t.is(await send(b, 0, dearer), 'ok')
  t.is(await send(b, 0, { price: 41n * gwei }), underpriced)
  t.is(await send(a, 1), 'ok')
  t.deepEqual(status(), waits(3))
})

test('a delegated account has one transaction at a time', async (t) => {
  const { send, sync, mine } = start()
  t.is(await send(b, 0, { authorities: [[b, 1]] }), 'ok')
  mine()
  t.is(await send(b, 3), gapped)
  t.is(await sync(b, 3), `1 undefined ${gapped}`)
  t.is(await send(b, 2), 'ok')
  t.is(await send(b, 3), busy)
  t.is(await send(b, 2, dearer), 'ok')
  t.is(await send(b, 3, { value: 9_000n * coin }), busy)
  mine()
  t.is(await send(b, 3), 'ok')
})

test('an account with two waiting transactions cannot be delegated', async (t) => {
  const { send, sync, status } = start()
  t.is(await send(c, 0), 'ok')
  t.is(await send(c, 1), 'ok')
  t.is(await send(a, 0, { authorities: [[c, 5]] }), reserved)
  t.is(await sync(a, 0, { authorities: [[c, 6]] }), `1 undefined ${reserved}`)
  t.is(
    await send(a, 0, {
      authorities: [
        [d, 5],
        [c, 5],
      ],
    }),
    reserved,
  )
  t.is(
    await send(a, 0, {
      authorities: [
        [d, 5],
        [d, 6],
      ],
    }),
    'ok',
  )
  t.is(await send(d, 1), gapped)
  t.is(await send(d, 0), 'ok')
  t.is(await send(d, 1), busy)
  t.is(await send(c, 1, { authorities: [[c, 2]], ...dearer }), reserved)
  t.is(await send(a, 0, { ...dearer, gas: 100_001n }), 'ok')
  t.is(await send(d, 1), 'ok')
  t.deepEqual(status(), waits(5))
})
