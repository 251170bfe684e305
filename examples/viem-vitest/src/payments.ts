import {
  createPublicClient,
  createWalletClient,
  http,
  keccak256,
  TransactionReceiptNotFoundError,
  type Account,
  type Address,
  type Hash,
} from 'viem'

/** Pays an amount and returns the hash, even if the response to the submission is lost. */
export async function pay(url: string, account: Account, to: Address, value: bigint): Promise<Hash> {
  const wallet = createWalletClient({ account, transport: http(url, { retryCount: 0 }) })
  const request = await wallet.prepareTransactionRequest({ to, value, chain: null })
  const serializedTransaction = await wallet.signTransaction({ ...request, chain: null })
  const hash = keccak256(serializedTransaction)
  try {
    return await wallet.sendRawTransaction({ serializedTransaction })
  } catch (error) {
    // The node may have taken the transaction: ask before giving up.
    if (await isMined(url, hash)) return hash
    throw error
  }
}

async function isMined(url: string, hash: Hash): Promise<boolean> {
  const client = createPublicClient({ transport: http(url) })
  try {
    return (await client.getTransactionReceipt({ hash })).status === 'success'
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return false
    throw error
  }
}

/** Returns the balance of an account; retries while the node limits requests. */
export function balanceOf(url: string, address: Address): Promise<bigint> {
  return createPublicClient({ transport: http(url, { retryCount: 3, retryDelay: 20 }) }).getBalance({ address })
}
