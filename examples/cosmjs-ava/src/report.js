import { StargateClient } from '@cosmjs/stargate'

/** Returns a line about an account of a Cosmos chain: its sequence and its coins. */
export async function report(url, address) {
  const client = await StargateClient.connect(url)
  try {
    const [chainId, account, { amount, denom }] = [
      await client.getChainId(),
      await client.getAccount(address),
      await client.getBalance(address, 'atest'),
    ]
    return `${chainId} ${address} sequence ${account?.sequence ?? 0}: ${amount} ${denom}`
  } finally {
    client.disconnect()
  }
}
