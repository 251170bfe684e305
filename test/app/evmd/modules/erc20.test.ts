import test from 'ava'
import { QueryBalanceRequest, QueryBalanceResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { BinaryWriter } from 'cosmjs-types/binary'
import { decodeFunctionResult, encodeDeployData, encodeFunctionData, getContractAddress, hexToBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { infiniteGasMeter } from '../../../../src/app/gasMeter.ts'
import { moduleAddress } from '../../../../src/app/evmd/address.ts'
import { chargeSetup } from '../../../../src/app/evmd/callCosts.ts'
import { withGas } from '../../../../src/app/evmd/context.ts'
import { callContract } from '../../../../src/app/evmd/contractCall.ts'
import { getAccount } from '../../../../src/app/evmd/modules/auth/accounts.ts'
import { erc20Module, transferToken } from '../../../../src/app/evmd/modules/erc20/contract.ts'
import { evmChainId, startChain } from '../../../helpers/evmdChain.ts'
import { ethereumPerson, type MessageChain, person, startMessages } from '../../../helpers/messageChain.ts'
import { contextOf } from '../../../helpers/precompiles.ts'
import { asHex, contract } from '../../../helpers/solc.ts'

const owner = ethereumPerson(0)
const alice = person(0)
const { abi, init } = contract('Coin')
const account = privateKeyToAccount(`0x${Buffer.from(owner.key).toString('hex')}`)
const token = getContractAddress({ from: owner.hex, nonce: 0n })
const denom = `erc20:${token}`
const message = (name: string, fields: readonly (string | Uint8Array)[]): Any => {
  const writer = BinaryWriter.create()
  for (const [index, field] of fields.entries()) {
    writer.uint32((index + 1) * 8 + 2)
    if (typeof field === 'string') writer.string(field)
    else writer.bytes(field)
  }
  return Any.fromPartial({ typeUrl: `/cosmos.evm.erc20.v1.${name}`, value: writer.finish() })
}
const convertErc20 = (amount: string, sender = owner.hex) =>
  message('MsgConvertERC20', [token, amount, alice.address, sender])
const convertCoin = (amount: string, receiver: string) => {
  const coin = BinaryWriter.create()
  coin.uint32(10).string(denom)
  coin.uint32(18).string(amount)
  return message('MsgConvertCoin', [coin.finish(), receiver, alice.address])
}
const register = message('MsgRegisterERC20', [alice.address, token])

async function ethereum(
  chain: MessageChain,
  tx: { nonce: number; data: `0x${string}`; to?: `0x${string}` },
): Promise<void> {
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: evmChainId,
    gas: 3_000_000n,
    maxFeePerGas: 2_000_000_000n,
    maxPriorityFeePerGas: 0n,
    ...tx,
  })
  const [result] = chain.block([chain.ethereum.wrap(chain.state, chain.ethereum.decode(hexToBytes(raw)))]).txResults
  if (result?.code !== 0) throw new Error(result?.log)
}

async function withToken(): Promise<MessageChain> {
  const chain = startMessages()
  await ethereum(chain, {
    nonce: 0,
    data: encodeDeployData({ abi, bytecode: asHex(Buffer.from(init).toString('hex')), args: ['ONE'] }),
  })
  return chain
}

function coins(chain: MessageChain, address: string): string | undefined {
  const data = QueryBalanceRequest.encode({ address, denom }).finish()
  return QueryBalanceResponse.decode(chain.query('/cosmos.bank.v1beta1.Query/Balance', data)).balance?.amount
}

async function tokens(chain: MessageChain, holder: `0x${string}`): Promise<unknown> {
  const raw = await account.signTransaction({ type: 'legacy', gasPrice: 0n, gas: 1_000_000n, to: token, nonce: 0 })
  const data = hexToBytes(encodeFunctionData({ abi, functionName: 'balanceOf', args: [holder] }))
  const result = chain.ethereum.call(chain.state, {
    context: chain.state.transient.header,
    gasCap: 50_000_000n,
    gasBudget: undefined,
    overrides: [],
    blockOverride: {},
    tx: { ...chain.ethereum.decode(hexToBytes(raw)).tx, data },
  })
  return decodeFunctionResult({
    abi,
    functionName: 'balanceOf',
    data: asHex(Buffer.from(result.output).toString('hex')),
  })
}

test('tokens of a registered contract turn into coins and back', async (t) => {
  const chain = await withToken()
  const registered = chain.send(alice, register, { gas: 2_000_000n })
  t.is(registered.code, 0, registered.log)
  t.deepEqual(
    registered.events
      .find(({ type }) => type === 'register_erc20')
      ?.attributes.map(({ value }) => value)
      .slice(0, 2),
    [denom, token],
  )
  const before = await tokens(chain, owner.hex)
  const lower = asHex(owner.hex.slice(2).toLowerCase())
  const converted = chain.send(owner, convertErc20('1000', lower), { gas: 2_000_000n })
  t.is(converted.code, 0, converted.log)
  const told = converted.events.find(({ type }) => type === 'convert_erc20')?.attributes
  t.is(told?.find(({ key }) => key === 'sender')?.value, lower, 'as the message spells it')
  t.is(coins(chain, alice.address), '1000')
  t.is(await tokens(chain, owner.hex), BigInt(String(before)) - 1000n)
  const other = '0x00000000000000000000000000000000000A11cE'
  const back = chain.send(alice, convertCoin('400', other), { gas: 2_000_000n })
  t.is(back.code, 0, back.log)
  t.is(coins(chain, alice.address), '600')
  t.is(await tokens(chain, other), 400n)
  const again = chain.send(alice, convertCoin('601', other), { gas: 2_000_000n })
  t.is(again.code, 5)
  t.regex(
    again.log,
    /failed to escrow coins: spendable balance 600erc20:0x\w+ is smaller than 601erc20:0x\w+: insufficient funds$/,
  )
  t.is(coins(chain, alice.address), '600')
})

test('what is no token, not registered or registered twice is refused in the words of the node', async (t) => {
  const chain = await withToken()
  const gas = 2_000_000n
  const unknown = chain.send(owner, convertErc20('1'), { gas })
  t.is(`${unknown.codespace} ${unknown.code}`, 'erc20 4')
  t.regex(unknown.log, /token '0x\w+' not registered by id: token pair not found$/)
  t.is(chain.send(alice, register, { gas }).code, 0)
  t.is(chain.send(alice, register, { gas }).code, 5)
  const zero = chain.check(chain.signed(owner, [convertErc20('0')]))
  t.is(zero.log, 'cannot mint a non-positive amount: invalid coins')
  const none = message('MsgRegisterERC20', [alice.address, '0x00000000000000000000000000000000000A11cE'])
  t.not(chain.send(alice, none, { gas }).code, 0)
  t.not(chain.send(owner, convertErc20((10n ** 40n).toString()), { gas }).code, 0)
})

test('a call of an account that is missing pays for looking for it twice, and for no other account', (t) => {
  const context = withGas(contextOf(startChain()), infiniteGasMeter())
  const to = new Uint8Array(20).fill(0xde)
  const from = moduleAddress('erc20')
  const gasOf = (act: () => unknown): bigint => {
    const before = context.gas.consumed()
    act()
    return context.gas.consumed() - before
  }
  const lookUp = gasOf(() => getAccount(context, to))
  t.is(lookUp, 1000n + 3n * 21n)
  const setup = gasOf(() => getAccount(context, from)) + gasOf(() => chargeSetup(context, to))
  const call = gasOf(() => callContract(context, { from, to, data: Uint8Array.of(6, 0xfd, 0xde, 3), keeps: false }))
  t.is(call, setup + 2n * lookUp + 21_000n + 4n * 16n)
})

const transferTopic = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const event = `7f${transferTopic}60006000a1`
const none = 'expected Transfer event: expected event'
/** What a token runs for any call, and the error of a transfer. */
const misbehaving: Readonly<Record<string, readonly [code: string, error: string | undefined]>> = {
  'returns true': ['6001600052 60206000f3', undefined],
  'returns false': ['60206000f3', 'refused: internal logic error'],
  'returns two': ['6002600052 60206000f3', 'abi: improperly encoded boolean value'],
  'returns one byte': ['60016000f3', 'abi: cannot marshal in to go type: length insufficient 1 require 32'],
  'returns nothing': ['00', none],
  'returns nothing but a transfer': [event, undefined],
  'reports two transfers': [event + event, 'duplicate Transfer event: unexpected event'],
  'reports something else': [event.replace('dd', 'ee'), none],
  'has a broken transfer': [
    'fe',
    `contract call failed: method 'transfer', contract '${token}': invalid opcode: INVALID: evm transaction execution failed`,
  ],
  'reports something without a topic': ['60006000a0', 'runtime error: index out of range [0] with length 0'],
}
for (const [what, [code, error]] of Object.entries(misbehaving)) {
  test(`a token that ${what} is judged as by the node`, async (t) => {
    const chain = startMessages()
    const runtime = code.replaceAll(' ', '')
    const length = (runtime.length / 2).toString(16).padStart(2, '0')
    await ethereum(chain, { nonce: 0, data: `0x60${length}600c60003960${length}6000f3${runtime}` })
    const context = withGas(contextOf(chain), infiniteGasMeter())
    const [from, to] = [erc20Module, new Uint8Array(20).fill(7)]
    const transfer = () => transferToken(context, { token: hexToBytes(token), from, to, amount: 1n }, 'refused')
    if (error === undefined) t.notThrows(transfer)
    else t.throws(transfer, { message: error })
  })
}
