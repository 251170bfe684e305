/** Precompiles in every kind of frame: what fails or is taken back leaves nothing behind. */
import test from 'ava'
import { decodeErrorResult, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem'
import {
  abi, at, attributeOf, caller, failureOf, fundsOfCaller, methods, startCaller, stateOf,
} from '../../../helpers/precompiles.ts'

const errors = parseAbi(['error Error(string)'])
const heir = '0x00000000000000000000000000000000000a11ce'
const amount = 12_345n
const stores = ['staking', 'distribution', 'gov', 'erc20']

const own = (functionName: string, args: readonly unknown[]): Hex => (
  encodeFunctionData({ abi, functionName, args })
)

/** Calls that change module state and log, by name. */
const changes: Readonly<Record<string, (validator: string) => readonly [Hex, Hex]>> = {
  delegate: (validator) => [at.staking, encodeFunctionData({
    abi: methods, functionName: 'delegate', args: [caller, validator, amount],
  })],
  fundCommunityPool: () => [at.distribution, encodeFunctionData({
    abi: methods, functionName: 'fundCommunityPool', args: [caller, [['atest', amount]]],
  })],
  transfer: () => [at.coin, encodeFunctionData({
    abi: methods, functionName: 'transfer', args: [heir, amount],
  })],
  approve: () => [at.coin, encodeFunctionData({
    abi: methods, functionName: 'approve', args: [heir, amount],
  })],
}

for (const [name, callOf] of Object.entries(changes)) {
  test(`${name} in a frame that stands changes state and logs`, async (t) => {
    const { chain, send, validator } = await startCaller()
    const before = stateOf(chain, [...stores, 'bank'])
    const result = await send(caller, own('forward', callOf(validator)))
    t.is(failureOf(result), undefined)
    t.notDeepEqual(stateOf(chain, [...stores, 'bank']), before)
  })

  test(`${name} in a transaction that reverts changes and logs nothing`, async (t) => {
    const { chain, send, validator, wei } = await startCaller()
    const empty = await startCaller()
    const result = await send(caller, own('forwardThenRevert', callOf(validator)))
    await empty.send(caller, own('ask', [at.bank, '0x']))
    t.is(failureOf(result), 'execution reverted')
    t.is(wei(caller), fundsOfCaller)
    t.is(wei(heir), 0n)
    t.is(attributeOf(result.events, 'delegate', 'amount'), undefined)
    t.deepEqual(stateOf(chain, ['gov', 'erc20']), stateOf(empty.chain, ['gov', 'erc20']))
    t.deepEqual(amountsOf(chain), amountsOf(empty.chain))
  })

  test(`${name} inside a frame that reverts changes nothing, and the rest stands`, async (t) => {
    const { call, chain, send, validator, wei } = await startCaller()
    const result = await send(caller, own('forwardInside', callOf(validator)))
    t.is(failureOf(result), undefined)
    const caught = call(caller, own('caught', []))
    t.is(decodeFunctionResult({ abi, functionName: 'caught', data: caught.output }), 1n)
    t.is(wei(caller), fundsOfCaller)
    t.is(wei(heir), 0n)
    t.false(result.events.some(({ type }) => type === 'delegate'))
    const empty = await startCaller()
    await empty.send(caller, own('ask', [at.bank, '0x']))
    t.deepEqual(stateOf(chain, ['gov', 'erc20']), stateOf(empty.chain, ['gov', 'erc20']))
    t.deepEqual(amountsOf(chain), amountsOf(empty.chain))
  })

  for (const kind of ['ask', 'borrow']) {
    test(`${name} through ${kind === 'ask' ? 'a static' : 'a delegate'} call is refused`, async (t) => {
      const { call, validator } = await startCaller()
      const answer = call(caller, own(kind, callOf(validator)))
      const [done, data] = pair(decodeFunctionResult({
        abi, functionName: kind, data: answer.output,
      }))
      t.false(done)
      t.deepEqual(decodeErrorResult({ abi: errors, data }).args, ['write protection'])
    })
  }

  test(`${name} in an eth_call leaves the state alone`, async (t) => {
    const { call, chain, validator } = await startCaller()
    const before = stateOf(chain, [...stores, 'bank'])
    t.is(call(caller, own('forward', callOf(validator))).status, 'success')
    t.deepEqual(stateOf(chain, [...stores, 'bank']), before)
  })
}

function pair(value: unknown): readonly [boolean, Hex] {
  if (!Array.isArray(value)) throw new Error('no pair')
  const [done, data]: unknown[] = value
  if (typeof done !== 'boolean' || typeof data !== 'string') throw new Error('no pair')
  return [done, `0x${data.slice(2)}`]
}

/** Delegations and who has withdrawn what: not what depends on fees of the two chains. */
function amountsOf(chain: Parameters<typeof stateOf>[0]): readonly string[] {
  return stateOf(chain, ['staking']).filter((line) => /^staking (31|32|34)/.test(line))
}
