import { join } from 'node:path'
import test from 'ava'
import { createPublicClient, createWalletClient, custom, encodeFunctionData, type Abi, type Address } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { start } from '../../src/index.ts'
import { scratch } from '../helpers/cli.ts'
import { compileSolidity } from '../helpers/contracts.ts'
import { chainOf } from '../helpers/server.ts'

const account = mnemonicToAccount('test test test test test test test test test test test junk')

/** Hardhat's console.sol in small: the same address and selectors. */
const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
library console {
  address constant CONSOLE = 0x000000000000000000636F6e736F6c652e6c6f67;
  function send(bytes memory data) internal view { (bool ok, ) = CONSOLE.staticcall(data); ok; }
}
contract Talker {
  constructor() { console.send(abi.encodeWithSignature("log(string)", "made")); }
  function act(uint256 amount) external {
    console.send(abi.encodeWithSignature("log(string,uint256)", "amount %s", amount));
    console.send(abi.encodeWithSignature("log(string,address,bool)", "by", msg.sender, true));
    console.send(abi.encodeWithSignature("log(int256)", int256(-7)));
    console.send(abi.encodeWithSignature("log(bytes)", hex"c0ffee"));
  }
  function look() external view returns (uint256) {
    console.send(abi.encodeWithSignature("log(uint256,uint256)", 1, 2));
    return 5;
  }
}`

async function talk(consoleLog: boolean): Promise<readonly string[]> {
  const lines: string[] = []
  await using chain = await start({
    ports: 'none',
    settings: { consoleLog },
    log: (_level, text) => {
      if (text.startsWith('console.log')) lines.push(text)
    },
  })
  const { Talker } = compileSolidity(source)
  const { abi, bytecode } = Talker as unknown as { abi: Abi; bytecode: `0x${string}` }
  const reader = createPublicClient({ transport: custom(chain.eth) })
  const writer = createWalletClient({ account, chain: chainOf('http://nowhere.invalid'), transport: custom(chain.eth) })
  await writer.sendTransaction({ to: account.address, value: 1n })
  const { contractAddress } = await reader.getTransactionReceipt({
    hash: await writer.deployContract({ abi, bytecode, args: [] }),
  })
  const to = contractAddress as Address
  await writer.sendTransaction({
    to,
    data: encodeFunctionData({ abi, functionName: 'act', args: [42n] }),
    gas: 200_000n,
  })
  await reader.readContract({ address: to, abi, functionName: 'look', args: [] })
  return lines
}

test('what a contract says is printed, of its creation, transactions and calls', async (t) => {
  t.deepEqual(await talk(true), [
    'console.log: made',
    'console.log: amount 42',
    `console.log: by ${account.address} true`,
    'console.log: -7',
    'console.log: 0xc0ffee',
    'console.log: 1 2',
  ])
})

test('it is silent when it is told to be', async (t) => {
  t.deepEqual(await talk(false), [])
})

test('a chain that continues prints what its contracts say, and not again what they said before it was saved', async (t) => {
  const path = join(scratch(), 'chain')
  const { Talker } = compileSolidity(source)
  const { abi, bytecode } = Talker as unknown as { abi: Abi; bytecode: `0x${string}` }
  let address: Address | undefined
  const talkOn = async () => {
    const lines: string[] = []
    await using chain = await start({
      ports: 'none',
      ...(address && { state: path }),
      log: (_level, text) => {
        if (text.startsWith('console.log')) lines.push(text)
      },
    })
    const transport = custom(chain.eth)
    const reader = createPublicClient({ transport })
    const writer = createWalletClient({ account, chain: chainOf('http://nowhere.invalid'), transport })
    if (address === undefined) {
      const hash = await writer.deployContract({ abi, bytecode, args: [] })
      address = (await reader.getTransactionReceipt({ hash })).contractAddress as Address
    }
    await reader.readContract({ address, abi, functionName: 'look', args: [] })
    await chain.save(path)
    return lines
  }
  t.deepEqual(await talkOn(), ['console.log: made', 'console.log: 1 2'])
  t.deepEqual(await talkOn(), ['console.log: 1 2'])
})
