/** A chain with a transaction in its last block, and a fault of a table on each interface. */
import type { Server } from '../../src/index.ts'
import type { Sent } from './faultClients.ts'
import type { CallFault } from './faultTable.ts'

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** Makes blocks up to height 5; the last one holds a transfer. */
export async function withTx(server: Server): Promise<Sent> {
  server.mine(3)
  const ethHash = (await server.eth.request({
    method: 'eth_sendTransaction',
    params: [{ from: alice, to: alice, value: '0x1', gas: '0x5208' }],
  })) as Sent['ethHash']
  const { block } = await server.comet.call<Block>('block', {})
  const tx = Buffer.from(block.data.txs[0] ?? '', 'base64')
  return { ethHash, cometHash: new Uint8Array(await crypto.subtle.digest('SHA-256', tx)) }
}

type Block = { readonly block: { readonly data: { readonly txs: readonly string[] } } }

/** Turns the fault of a row on for both interfaces; returns what turns it off. */
export async function plant(
  server: Server,
  { effect, fault = {} }: Pick<CallFault, 'effect' | 'fault'>,
): Promise<() => void> {
  const of = 'eth' in effect ? effect : { eth: effect, comet: effect }
  const ends = await Promise.all(
    (['eth', 'comet'] as const).map((iface) =>
      server.fault(`on ${iface}`, {
        ...fault,
        match: { ...fault.match, iface },
        effect: of[iface],
      }),
    ),
  )
  return () => {
    for (const end of ends) end()
  }
}
