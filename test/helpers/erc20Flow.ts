import { createPublicClient, createWalletClient, http, type Abi, type Address, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { demoToken } from './contracts.ts'
import { chainOf } from './server.ts'

const alice = mnemonicToAccount('test test test test test test test test test test test junk')
const bob: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Deploys a token, transfers `amount` of it, and returns what the session says afterwards. */
export async function erc20Flow(url: string, amount: bigint) {
  const chain = chainOf(url)
  // Hundreds of flows at once share two cores: each is slow, and none may give up.
  const transport = http(url, { timeout: 120_000 })
  const reader = createPublicClient({ chain, transport, pollingInterval: 10, cacheTime: 0 })
  const writer = createWalletClient({ chain, transport, account: alice })
  const { abi, bytecode } = demoToken() as { abi: Abi; bytecode: Hex }
  const deployed = await writer.deployContract({ abi, bytecode, args: [] })
  const { contractAddress } = await reader.waitForTransactionReceipt({ hash: deployed, timeout: 120_000 })
  const address = contractAddress as Address
  const hash = await writer.writeContract({ address, abi, functionName: 'transfer', args: [bob, amount] })
  const { logs } = await reader.waitForTransactionReceipt({ hash, timeout: 120_000 })
  return {
    logs: logs.length,
    height: await reader.getBlockNumber(),
    balance: await reader.readContract({ address, abi, functionName: 'balanceOf', args: [bob] }),
  }
}
