/** Transactions that delegate their own sender (EIP-7702): the authorization has the sender's next nonce but one. */
import test from 'ava'
import { parseGwei, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { localSimulation, type Asked } from '../../helpers/ethSimulation.ts'

const signer = privateKeyToAccount(`0x${'51'.repeat(32)}`)
const contract = '0x00000000000000000000000000000000000c0de1'
/** Stores 1 in slot 0 and returns 42. */
const code = '0x60015f55602a5f5260205ff3'
const chainId = 31_337

function funded(...changed: Parameters<typeof localSimulation>): Asked {
  const chain = localSimulation(...changed)
  chain.call('anvil_setBalance', signer.address, '0xde0b6b3a7640000')
  chain.call('anvil_setCode', contract, code)
  chain.call('evm_mine')
  return chain
}

async function signed(nonce: number) {
  const { yParity = 0, r, s } = await signer.signAuthorization({ address: contract, chainId, nonce })
  return { address: contract, chainId, nonce, yParity, r, s } as const
}

/** The arguments of a call of the sender's own code, as JSON-RPC takes them. */
async function selfCall(nonce = 1): Promise<object> {
  const { yParity, ...rest } = await signed(nonce)
  const quantities = { chainId: `0x${chainId.toString(16)}`, nonce: `0x${nonce}`, yParity: `0x${yParity}` }
  return { from: signer.address, to: signer.address, authorizationList: [{ ...rest, ...quantities }] }
}

async function sent({ call }: Asked, gas: bigint): Promise<Hex> {
  const raw = await signer.signTransaction({
    type: 'eip7702',
    chainId,
    nonce: 0,
    gas,
    to: signer.address,
    maxFeePerGas: parseGwei('10'),
    authorizationList: [await signed(1)],
  })
  return call('eth_sendRawTransaction', raw).result as Hex
}

test('an estimate covers the code that a self-sponsored transaction delegates to', async (t) => {
  const chain = funded()
  const estimated = chain.call('eth_estimateGas', await selfCall()).result
  const hash = await sent(chain, BigInt(String(estimated)))
  const receipt = chain.call('eth_getTransactionReceipt', hash).result as { status: string }
  t.is(receipt.status, '0x1')
  t.is(BigInt(String(chain.call('eth_getStorageAt', signer.address, '0x0', 'latest').result)), 1n)
})
