import test from 'ava'
import { privateKeyToAccount } from 'viem/accounts'
import type { Server } from '../../../src/index.ts'
import { startLocal } from '../../helpers/server.ts'

const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const contract = '0x00000000000000000000000000000000000c0de1'
const signer = privateKeyToAccount(`0x${'51'.repeat(32)}`)

type Answer = { readonly result?: unknown; readonly error?: { readonly message: string } }

async function ask({ urls }: Server, method: string, params: readonly unknown[]): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  return (await (await fetch(urls.eth, { method: 'POST', headers, body })).json()) as Answer
}

const message = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).error?.message

/** Returns 42 as a word. */
const answers = { [contract]: { code: '0x602a5f5260205ff3' } }

async function authorization(parts: { chainId?: number; nonce?: number } = {}) {
  const { chainId = 31_337, nonce = 0 } = parts
  const signed = await signer.signAuthorization({ address: contract, chainId, nonce })
  const quantity = (value: number | bigint | string) => `0x${BigInt(value).toString(16)}`
  return {
    chainId: quantity(chainId),
    address: contract,
    nonce: quantity(nonce),
    yParity: quantity(signed.yParity ?? 0),
    r: quantity(signed.r),
    s: quantity(signed.s),
  }
}

test('a call believes in the delegations that its authorizations make', async (t) => {
  await using server = await startLocal()
  const call = async (item: object) =>
    (await ask(server, 'eth_call', [{ from, to: signer.address, authorizationList: [item] }, 'latest', answers])).result
  const valid = await authorization()
  t.is(await call(valid), `0x${'2a'.padStart(64, '0')}`)
  t.is(await call(await authorization({ chainId: 0 })), `0x${'2a'.padStart(64, '0')}`)
  for (const wrong of [
    await authorization({ chainId: 1 }),
    await authorization({ nonce: 1 }),
    { ...valid, yParity: valid.yParity === '0x0' ? '0x1' : '0x0' },
    { ...valid, yParity: '0x1b' },
  ])
    t.is(await call(wrong), '0x')
  const estimated = await ask(server, 'eth_estimateGas', [{ from, to: signer.address, authorizationList: [valid] }])
  t.is(Number(estimated.result), 46_000)
})

test('gas pays for the message, and a limit for the floor of its data', async (t) => {
  await using server = await startLocal()
  const call = (gas: number) =>
    message(server, 'eth_call', [
      { from, to: contract, gas: `0x${gas.toString(16)}`, data: `0x${'11'.repeat(1_000)}` },
      'latest',
    ])
  t.is(await call(36_999), 'rpc error: code = Internal desc = apply message: intrinsic gas too low')
  t.is(
    await call(60_999),
    'rpc error: code = Internal desc = insufficient gas for floor data gas cost: ' + 'have 60999, want 61000',
  )
  t.is(await call(61_000), undefined)
  const estimated = await ask(server, 'eth_estimateGas', [{ from, to: contract, data: `0x${'11'.repeat(1_000)}` }])
  t.is(Number(estimated.result), 61_000)
})

test('whoever asks for the blob base fee meets a nil pointer', async (t) => {
  await using server = await startLocal()
  const panic =
    'rpc error: code = Internal desc = ' + 'runtime error: invalid memory address or nil pointer dereference'
  const asks = { [contract]: { code: '0x4a5f5260205ff3' } }
  const call = { from, to: contract }
  for (const method of ['eth_call', 'eth_estimateGas']) {
    t.is(await message(server, method, [call, 'latest', asks]), panic)
  }
  t.is(await message(server, 'debug_traceCall', [{ from, data: '0x4a' }, 'latest', {}]), panic)
  const told = [call, 'latest', asks, { blobBaseFee: '0x7' }]
  t.is((await ask(server, 'eth_call', told)).result, `0x${'7'.padStart(64, '0')}`)
})
