/** Balances that change, are seen by a precompile, and are in the end as they were. */
import test from 'ava'
import { encodeFunctionData, getContractAddress, type Hex } from 'viem'
import { compileSolidity } from '../../../helpers/contracts.ts'
import { localSimulation } from '../../../helpers/ethSimulation.ts'

const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
interface Coins { function balanceOf(address) external view returns (uint256); }
contract Bomb {
  constructor(address payable heir) payable {
    Coins(0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE).balanceOf(address(this));
    selfdestruct(heir);
  }
}
contract Trips {
  receive() external payable {}
  function look() public view returns (uint256) {
    return Coins(0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE).balanceOf(address(this));
  }
  function back() external payable { look(); payable(msg.sender).transfer(msg.value); }
  function bomb(address payable heir) external payable { new Bomb{value: msg.value}(heir); }
  function inner() external payable { look(); revert(); }
  function failing() external payable {
    try this.inner{value: msg.value}() {} catch {}
    payable(msg.sender).transfer(msg.value);
  }
  function pass(address payable to) external payable { look(); to.transfer(msg.value); look(); }
}`

const ether = 10n ** 18n
const heir = `0x${'0b'.repeat(20)}` as const

function started() {
  const chain = localSimulation({ blocks: 'manual', baseFee: 0 })
  const { Trips } = compileSolidity(source)
  if (Trips === undefined) throw new Error('the contract is not there')
  const [from] = chain.call('eth_accounts').result as [Hex]
  const sent = (tx: object) => {
    const hash = chain.call('eth_sendTransaction', { from, gas: '0x200000', gasPrice: '0x0', ...tx }).result
    chain.command({ type: 'produceBlock' })
    return chain.call('eth_getTransactionReceipt', hash).result as { status: Hex; contractAddress: Hex }
  }
  const { contractAddress: to } = sent({ data: Trips.bytecode })
  const balance = (address: Hex) => BigInt(chain.call('eth_getBalance', address, 'latest').result as Hex)
  const call = (functionName: string, args: readonly unknown[] = []) =>
    sent({ to, value: `0x${ether.toString(16)}`, data: encodeFunctionData({ abi: Trips.abi, functionName, args }) })
      .status
  return { chain, from, to, balance, call }
}

for (const name of ['back', 'failing']) {
  test(`coins that a contract sends back after a precompile was called are with the sender: ${name}`, (t) => {
    const { from, to, balance, call } = started()
    const before = balance(from)
    t.is(call(name), '0x1')
    t.deepEqual([balance(from), balance(to)], [before, 0n])
  })
}

test('coins that a contract passes on are with the receiver alone', (t) => {
  const { from, to, balance, call } = started()
  const before = balance(from)
  t.is(call('pass', [heir]), '0x1')
  t.deepEqual([balance(from), balance(to), balance(heir)], [before - ether, 0n, ether])
})

test('a contract that a precompile saw between its creation and its end leaves nothing behind', (t) => {
  const { chain, from, to, balance, call } = started()
  const before = balance(from)
  t.is(call('bomb', [heir]), '0x1')
  t.deepEqual([balance(from), balance(to), balance(heir)], [before - ether, 0n, ether])
  const bomb = getContractAddress({ from: to, nonce: 1n })
  t.is(balance(bomb), 0n)
  t.is(chain.call('eth_getTransactionCount', bomb, 'latest').result, '0x0')
})
