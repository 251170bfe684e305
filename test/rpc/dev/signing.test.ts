import test from 'ava'
import { parseTransaction, recoverTransactionAddress, verifyTypedData, type Hex } from 'viem'
import { localSimulation } from '../../helpers/ethSimulation.ts'

const owner = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

const mail = {
  domain: { name: 'Ether Mail', version: '1', chainId: 31_337, verifyingContract: owner },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallets', type: 'address[]' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'contents', type: 'bytes' },
    ],
  },
  primaryType: 'Mail',
  message: { from: { name: 'Cow', wallets: [owner] }, contents: '0x010203' },
} as const

const {
  domain,
  types: { Person: _, Mail: _2, ...types },
} = mail
const flat = {
  domain,
  types: { ...types, Note: [{ name: 'amount', type: 'uint256' }] },
  primaryType: 'Note',
  message: { amount: '7' },
} as const

const signs = test.macro(async (t, method: string, data: object, asText: boolean) => {
  const { call } = localSimulation()
  const { result } = call(method, owner, asText ? JSON.stringify(data) : data)
  const signed = { ...data, address: owner, signature: result }
  t.true(await verifyTypedData(signed as unknown as Parameters<typeof verifyTypedData>[0]))
})

test('v4 signs typed data as text', signs, 'eth_signTypedData_v4', mail, true)
test('v4 signs typed data as an object', signs, 'eth_signTypedData_v4', mail, false)
test('v3 signs typed data without arrays', signs, 'eth_signTypedData_v3', flat, true)

test('v3 refuses arrays, and an unknown account nothing is signed for', (t) => {
  const { call } = localSimulation()
  t.regex(
    call('eth_signTypedData_v3', owner, mail).error?.message ?? '',
    /without arrays, received the field "wallets" of type address\[\]/,
  )
  t.regex(call('eth_signTypedData_v4', `0x${'11'.repeat(20)}`, mail).error?.message ?? '', /no key/)
  t.is(call('eth_signTypedData_v4', owner, '{').error?.code, -32602)
})

test('a signed transaction can be sent by anybody, and is found again as bytes', async (t) => {
  const { call } = localSimulation()
  const signed = call('eth_signTransaction', { from: owner, to: owner, value: '0x1' }).result as Hex
  t.is(await recoverTransactionAddress({ serializedTransaction: signed as `0x02${string}` }), owner)
  const hash = call('eth_sendRawTransaction', signed).result
  t.is(call('eth_getRawTransactionByHash', hash).result, signed)
  t.is(call('debug_getRawTransaction', hash).result, signed)
  t.is(call('eth_getRawTransactionByBlockNumberAndIndex', 'latest', '0x0').result, signed)
  const { hash: block } = call('eth_getBlockByNumber', 'latest', false).result as { hash: Hex }
  t.is(call('eth_getRawTransactionByBlockHashAndIndex', block, '0x0').result, signed)
  t.is(call('eth_getRawTransactionByBlockHashAndIndex', block, '0x1').result, null)
  t.is(call('eth_getRawTransactionByHash', `0x${'11'.repeat(32)}`).result, null)
})

test('a waiting transaction is found as bytes', (t) => {
  const { call } = localSimulation({ blocks: 'manual' })
  const hash = call('eth_sendTransaction', { from: owner, to: owner, gas: '0x5208' }).result
  t.regex(String(call('eth_getRawTransactionByHash', hash).result), /^0x02f8/)
})

test('a price and an access list make a transaction of type 1', (t) => {
  const sent = (quirks: readonly string[], accessList: readonly object[]) => {
    const { call } = localSimulation({ quirks: [...quirks] })
    const signed = call('eth_signTransaction', {
      from: owner,
      to: owner,
      gas: '0x186a0',
      gasPrice: '0x77359400',
      accessList,
    }).result as Hex
    const { type, accessList: list } = parseTransaction(signed)
    return { type, list }
  }
  const list = [{ address: owner, storageKeys: [`0x${'00'.repeat(32)}`] }] as const
  t.is(sent([], []).type, 'eip2930')
  t.like(sent([], list), { type: 'eip2930', list: { length: 1 } })
  t.is(sent(['access-list-dropped'], list).type, 'legacy')
})

test('the coinbase is the miner of the next block', (t) => {
  const { call } = localSimulation()
  const miner = () => (call('eth_getBlockByNumber', 'latest', false).result as { miner: string }).miner
  call('evm_mine')
  t.is(call('eth_coinbase').result, miner())
  call('anvil_setCoinbase', `0x${'12'.repeat(20)}`)
  t.is(call('eth_coinbase').result, `0x${'12'.repeat(20)}`)
  call('evm_mine')
  t.is(miner(), `0x${'12'.repeat(20)}`)
})
