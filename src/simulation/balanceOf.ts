import { bech32Of } from '../codec/bech32.ts'
import { hexOf, plainHexOf } from '../codec/hex.ts'
import { QueryBalanceRequest, QueryBalanceResponse } from '../codec/messages/cosmos.ts'
import { stateAt } from '../chain/history.ts'
import { noFaults } from '../fault/decide.ts'
import type { World } from '../node/world.ts'
import type { BalanceAsked } from '../scenario/verdict.ts'
import { ask } from './ask.ts'
import { addressOf } from './names.ts'
import type { Simulation } from './turn.ts'

/** Returns the current balance: of the gas denom, of another denom, or of an ERC-20 token. */
export function balanceOf(
  world: World,
  { node, progress: { facts } }: Simulation,
  { who, denom, token }: BalanceAsked,
): bigint {
  const address = addressOf(world, node, who, facts)
  if (token !== undefined) {
    const to = hexOf(addressOf(world, node, token.startsWith('0x') ? token : `@${token.replace(/^@/, '')}`, facts))
    const data = `0x70a08231${plainHexOf(address).padStart(64, '0')}`
    const { isError, text } = ask(
      world,
      { ...node, faults: noFaults },
      { side: 'eth', method: 'eth_call', params: JSON.stringify([{ to, data }, 'latest']) },
    )
    const word = JSON.parse(text) as unknown
    return !isError && typeof word === 'string' && word.length === 66 ? BigInt(word) : 0n
  }
  if (denom === undefined) return world.ethereum?.account(node.chain.app, address).wei ?? 0n
  const { chain } = node
  const data = QueryBalanceRequest.encode({ address: bech32Of('cosmos', address), denom })
  const { value } = world.app.query(
    chain.app,
    {
      path: '/cosmos.bank.v1beta1.Query/Balance',
      data,
      height: 0n,
      prove: false,
    },
    {
      stateAt: (at) => stateAt(chain.history, at),
      latestHeight: chain.height,
      earliestHeight: chain.history.base,
      chainId: chain.genesis.chainId,
    },
  )
  const balance = value === undefined ? undefined : QueryBalanceResponse.decode(value).balance
  return BigInt(balance?.amount ?? '0')
}
