/** Contracts that are made and call the staking precompile in the same transaction. */
import { generateKeyPairSync } from 'node:crypto'
import test from 'ava'
import { encodeFunctionData, type Hex } from 'viem'
import { compileSolidity } from '../../../helpers/contracts.ts'
import { localSimulation } from '../../../helpers/ethSimulation.ts'

const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
struct About { string moniker; string identity; string website; string contact; string details; }
struct Rates { uint256 rate; uint256 maxRate; uint256 maxChangeRate; }
interface Staking {
  function createValidator(About calldata, Rates calldata, uint256, address, string memory, uint256)
    external returns (bool);
}
contract Candidate {
  constructor(bool now, string memory key) payable { if (now) stand(key); }
  function stand(string memory key) public {
    About memory about = About("new", "", "", "", "");
    Rates memory rates = Rates(1e17, 2e17, 1e17);
    Staking(0x0000000000000000000000000000000000000800)
      .createValidator(about, rates, 1, address(this), key, address(this).balance);
  }
}
contract Factory {
  function inside(string memory key) external payable { new Candidate{value: msg.value}(true, key); }
  function after_(string memory key) external payable { new Candidate{value: msg.value}(false, key).stand(key); }
}`

function factory() {
  const chain = localSimulation({ blocks: 'manual' })
  const { Factory } = compileSolidity(source)
  if (Factory === undefined) throw new Error('the contract is not there')
  const [from] = chain.call('eth_accounts').result as [Hex]
  const hash = chain.call('eth_sendTransaction', { from, data: Factory.bytecode, gas: '0x400000' }).result
  chain.command({ type: 'produceBlock' })
  const { contractAddress: to } = chain.call('eth_getTransactionReceipt', hash).result as { contractAddress: Hex }
  const key = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).subarray(12)
  return (functionName: string) => {
    const data = encodeFunctionData({ abi: Factory.abi, functionName, args: [key.toString('base64')] })
    return chain.call('eth_call', { from, to, data, value: '0x29a2241af62c0000' }, 'latest')
  }
}

test('a contract that exists since the same transaction cannot become a validator, as any contract', (t) => {
  const { error } = factory()('after_')
  t.regex(String(error?.message), /can only be called directly to the precompile, not from a smart contract/)
})

test('a contract that is being made has no code yet and may become one', (t) => {
  t.is(factory()('inside').result, '0x')
})
