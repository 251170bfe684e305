/** What is sent to a fork comes to the same as what is sent to the chain that it goes on from. */
import { inspect } from 'node:util'
import test from 'ava'
import fc from 'fast-check'
import { encodeFunctionData, getContractAddress, type Hex, type TransactionReceipt } from 'viem'
import { startLocal } from '../../helpers/server.ts'
import { compileSolidity, demoToken } from '../../helpers/contracts.ts'
import { clientsOf, forkOf, raw, tokenAbi, type Clients } from '../../helpers/forked.ts'

const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract Child { uint public value; constructor(uint value_) { value = value_; } function gone() external { selfdestruct(payable(msg.sender)); } }
contract Box {
  mapping(uint => uint) public held;
  event Held(uint at, uint value);
  function put(uint at, uint value) external payable { held[at] = value; emit Held(at, value); }
  function clear(uint at) external { delete held[at]; }
  function pay(address payable to, uint wei_) external { to.transfer(wei_); }
  function sum(uint most) external { uint all; for (uint at; at < most; at++) all += held[at]; held[most] = all; }
  function child(uint value) external returns (address) { Child one = new Child(value); if (value > 2) one.gone(); return address(one); }
  function look(address other) external { held[77] = other.balance + other.code.length; held[78] = uint(blockhash(block.number - 3)); }
}`

const person = fc.integer({ min: 0, max: 3 }).map((index): Hex => `0x${`e${index}`.repeat(20)}`)
const small = fc.integer({ min: 0, max: 4 }).map(BigInt)
type Step =
  | { readonly to: 'person'; readonly who: Hex; readonly value: bigint }
  | {
      readonly to: 'token' | 'box'
      readonly name: string
      readonly args: readonly unknown[]
      readonly value: bigint
    }
const box = (name: string, ...args: readonly fc.Arbitrary<unknown>[]): fc.Arbitrary<Step> =>
  fc.record({
    to: fc.constant('box' as const),
    name: fc.constant(name),
    args: fc.tuple(...args),
    value: fc.constant(0n),
  })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ to: fc.constant('person' as const), who: person, value: small }),
  fc.record({
    to: fc.constant('token' as const),
    name: fc.constant('transfer'),
    args: fc.tuple(person, small),
    value: fc.constant(0n),
  }),
  fc.record({
    to: fc.constant('box' as const),
    name: fc.constant('put'),
    args: fc.tuple(small, small),
    value: small,
  }),
  box('clear', small),
  box('pay', person, small),
  box('sum', small),
  box('child', small),
  box('look', person),
)

test('the same transactions have the same receipts and leave the same state, before a fork and on it', async (t) => {
  await using upstream = await startLocal()
  const { Box } = compileSolidity(source)
  if (Box === undefined) throw new Error('Box was not compiled')
  const there = clientsOf(upstream, 31_337)
  const { address } = there.account
  const at = {
    token: getContractAddress({ from: address, nonce: 0n }),
    box: getContractAddress({ from: address, nonce: 1n }),
  }
  const fees = { gas: 1_000_000n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n }

  const send = async ({ wallet, reader }: Clients, one: Step): Promise<TransactionReceipt> => {
    const target = one.to === 'person' ? one.who : at[one.to]
    const abi = one.to === 'token' ? tokenAbi : Box.abi
    const data =
      one.to === 'person'
        ? undefined
        : encodeFunctionData({
            abi: abi as typeof tokenAbi,
            functionName: one.name as 'transfer',
            args: one.args as [Hex, bigint],
          })
    return reader.waitForTransactionReceipt({
      hash: await wallet.sendTransaction({ to: target, value: one.value, ...fees, ...(data && { data }) }),
    })
  }
  for (const { abi, bytecode } of [demoToken(), Box]) {
    await there.reader.waitForTransactionReceipt({
      hash: await there.wallet.deployContract({ abi, bytecode, ...fees, gas: 3_000_000n }),
    })
  }
  const [first = [], second = []] = fc.sample(fc.array(step, { minLength: 40, maxLength: 40 }), { numRuns: 2, seed: 7 })
  for (const one of first) await send(there, one)
  await using fork = await forkOf([upstream.urls.eth])
  const here = clientsOf(fork, 31_337)
  // The fork has made a block, and so has the other chain.
  upstream.mine(1)
  const told = ({ status, gasUsed, logs, blockNumber }: TransactionReceipt) => ({
    status,
    gasUsed,
    blockNumber,
    logs: logs.map((log) => ({ address: log.address, topics: log.topics, data: log.data })),
  })
  let succeeded = 0
  for (const one of second) {
    const receipt = await send(here, one)
    if (receipt.status === 'success') succeeded += 1
    t.deepEqual(told(receipt), told(await send(there, one)), inspect(one))
  }
  t.true(succeeded > 8)
  const who = [address, at.token, at.box, ...fc.sample(person, { numRuns: 8, seed: 1 })]
  for (const one of who) {
    for (const method of ['eth_getTransactionCount', 'eth_getCode', ...(one === address ? [] : ['eth_getBalance'])]) {
      t.is(
        await raw(fork.urls.eth, method, [one, 'latest']),
        await raw(upstream.urls.eth, method, [one, 'latest']),
        `${method} ${one}`,
      )
    }
  }
  for (let index = 0n; index < 6n; index++) {
    const held = { address: at.box, abi: Box.abi, functionName: 'held', args: [index] }
    t.is(await here.reader.readContract(held), await there.reader.readContract(held), `held ${index}`)
  }
})
