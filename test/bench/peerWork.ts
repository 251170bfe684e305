/** What `npm run bench peers` sends: signed once, because the same accounts have the same nonces on all nodes. */
import { encodeFunctionData, parseAbi, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { compileSolidity } from '../helpers/contracts.ts'
import { ask } from './node.ts'

const phrase = 'test test test test test test test test test test test junk'
export const senders = 15
const accounts = Array.from({ length: senders }, (_, addressIndex) => mnemonicToAccount(phrase, { addressIndex }))
export const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const fees = { chainId: 31337, maxFeePerGas: 10_000_000_000n, maxPriorityFeePerGas: 1n } as const
const abi = parseAbi([
  'function many(uint256 count)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
])
const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract Many {
  event Counted(uint256 indexed tens, address indexed by, uint256 index);
  event Transfer(address indexed from, address indexed to, uint256 value);
  mapping(address => uint256) public balanceOf;
  constructor() { balanceOf[msg.sender] = 1e24; }
  function many(uint256 count) external {
    for (uint256 i = 0; i < count; i++) emit Counted(i / 10, msg.sender, i);
  }
  function transfer(address to, uint256 value) external returns (bool) {
    balanceOf[msg.sender] -= value;
    balanceOf[to] += value;
    emit Transfer(msg.sender, to, value);
    return true;
  }
}`

export const first = accounts[0]?.address ?? bob
export const balanceOf = encodeFunctionData({ abi, functionName: 'balanceOf', args: [bob] })
/** Returns the call of `balanceOf` with the address that a number makes. */
export const balanceOfOther = (account: number): Hex =>
  encodeFunctionData({ abi, functionName: 'balanceOf', args: [`0x${account.toString(16).padStart(40, '0')}`] })
export const transferOf = encodeFunctionData({ abi, functionName: 'transfer', args: [bob, 5n] })
export const manyOf = (count: number): Hex => encodeFunctionData({ abi, functionName: 'many', args: [BigInt(count)] })

type Tx = { readonly to?: Hex; readonly data?: Hex; readonly value?: bigint; readonly gas: bigint }

/** Returns a transaction of one of the accounts, signed. Throws for an account that is not among them. */
export function signed(sender: number, nonce: number, tx: Tx): Promise<Hex> {
  const account = accounts[sender]
  if (account === undefined) throw new Error(`no account ${sender}`)
  return account.signTransaction({ ...fees, type: 'eip1559', nonce, ...tx })
}

/** Returns transfers of the accounts from `from` on by turns, nonces counted from 0. */
export function transfers(count: number, from: number): Promise<Hex[]> {
  const many = senders - from
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      signed(from + (index % many), Math.floor(index / many), { to: bob, value: 1n, gas: 21_000n }),
    ),
  )
}

/** Sends the contract as the first account's first transaction and returns its address. */
export async function deploy(url: string): Promise<Hex> {
  const { Many } = compileSolidity(source)
  if (Many === undefined) throw new Error('Many was not compiled')
  const raw = await signed(0, 0, { data: Many.bytecode, gas: 2_000_000n })
  return (await sent(url, raw)).contractAddress
}

/** Sends a transaction and asks for its receipt until there is one. */
export async function sent(url: string, raw: Hex): Promise<{ contractAddress: Hex; blockNumber: Hex }> {
  const hash = await ask(url, 'eth_sendRawTransaction', raw)
  for (;;) {
    const receipt = await ask(url, 'eth_getTransactionReceipt', hash)
    if (receipt !== null) return receipt as { contractAddress: Hex; blockNumber: Hex }
  }
}
