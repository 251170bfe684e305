/** The view of the simulation that triggers and expectations use. */
import { addressText } from '../app/evmd/address.ts'
import { trustedContext } from './cosmosTx.ts'
import { tokenBalance } from '../rpc/dev/tokens.ts'
import { ownValue } from '../data/members.ts'
import { waiting } from '../chain/mempool.ts'
import { recordAt } from '../chain/history.ts'
import { ethTxPlace, recordByEthHash, txByHash } from '../chain/lookups.ts'
import { bytesOfHex, plainHexOf } from '../codec/hex.ts'
import { remembered } from '../data/remembered.ts'
import { timeToMs } from '../data/time.ts'
import { latestQuery } from '../node/latestQuery.ts'
import type { Node } from '../node/node.ts'
import type { TxStatus } from '../plan/expectation.ts'
import type { CallMatch } from '../plan/trigger.ts'
import type { CallRecord } from '../rpc/callRecord.ts'
import type { World } from '../node/world.ts'
import { busyAt } from '../scenario/fixtures/past.ts'
import { callMatches, filledIn, isInPhase } from '../scenario/occurrence.ts'
import { BadExpression, type Known, evaluate } from '../scenario/expression.ts'
import { ask } from './ask.ts'
import { chainDigest } from './digest.ts'
import { callsSince } from './journal.ts'
import { lateNames, paramsNow, paramsOrNever } from './lateNames.ts'
import type { Sight } from '../scenario/advance.ts'
import type { Simulation } from './turn.ts'
import { QueryBalanceRequest, QueryBalanceResponse } from '../codec/messages/cosmos.ts'
import type { BalanceAsked } from '../scenario/verdict.ts'
import { addressOf } from './names.ts'

/** Matches a call once: an expectation that waits looks at thousands of calls at each input. */
const matching = remembered((match: CallMatch) => remembered((record: CallRecord) => callMatches(match, record)))

/** Returns the current view. */
export function sightOf(world: World, simulation: Simulation): Sight {
  const {
    node,
    journal,
    progress: { facts },
  } = simulation
  return {
    now: { timeMs: node.nowMs, height: node.chain.height },
    balanceOf: (asked) => balanceOf(world, simulation, asked),
    heightOf: (blockHash) =>
      /^0x[0-9a-f]{64}$/i.test(blockHash)
        ? recordByEthHash(node.chain.history, bytesOfHex(blockHash))?.block.header.height
        : undefined,
    faultApplied: (name) => node.faults.counts.get(name)?.applied ?? 0,
    rpc: (asked) => ask(world, node, { ...asked, params: paramsNow(world, simulation, asked.params) }),
    answered: (key) => facts.late[key],
    calls: (match, fromMs) => {
      const { calls, isWhole } = callsSince(journal, fromMs)
      const meant = filledIn(match, { filled: (text) => paramsOrNever(world, simulation, text) })
      return { calls: isInPhase(match, facts.phase) ? calls.filter(matching(meant)) : [], isWhole }
    },
    busy: () => busyAt(timeToMs(node.chain.lastBlockTime)),
    conditionIs: (condition, by) => conditionIs(condition, lateNames(world, simulation, by)),
    filled: (text) => paramsNow(world, simulation, text),
    txStatus: (which) => {
      const named = ownValue(facts.txs, which)
      if (named !== undefined) return statusOf(node, named.hash)
      return which.startsWith('0x') ? statusOf(node, which.slice(2).toLowerCase()) : 'absent'
    },
    digest: () => chainDigest(node),
    draw: (label, index, below) => world.random.below(label, index, below) as bigint,
  }
}

function conditionIs(condition: string, names: Known): boolean | { readonly bad: string } {
  try {
    return evaluate(condition, names) === true
  } catch (error) {
    if (error instanceof BadExpression) return { bad: error.message }
    throw error
  }
}

/**
 * Returns the status of a transaction by its CometBFT or Ethereum hash. The mempool is searched
 * first.
 */
function statusOf({ chain }: Node, hex: string): TxStatus {
  const entry = waiting(chain.mempool).find(
    ({ hash, info }) => plainHexOf(hash) === hex || (info?.ethHash !== undefined && plainHexOf(info.ethHash) === hex),
  )
  if (entry !== undefined) return entry.held ? 'held' : 'pending'
  const hash = bytesOfHex(`0x${hex}`)
  const place = ethTxPlace(chain.history, hash)
  if (place !== undefined) {
    const found = recordAt(chain.history, place.height)?.ethereum.transactions[place.index]
    return found?.receipt.failed === true ? 'failed' : 'success'
  }
  const found = txByHash(chain.history, hash)
  if (found === undefined) return 'absent'
  return cometStatus(found.result.code, recordAt(chain.history, found.height), found.index)
}

type Held = ReturnType<typeof recordAt>

/**
 * Returns the status of a CometBFT transaction. Even with code 0, its execution in the EVM may have
 * failed.
 */
function cometStatus(code: number, record: Held, index: number): TxStatus {
  const inside = record?.ethereum.transactions.find(({ cometIndex }) => cometIndex === index)
  return code !== 0 || inside?.receipt.failed === true ? 'failed' : 'success'
}

/** Returns the current balance: of the gas denom, of another denom, or of an ERC-20 token. */
function balanceOf(
  world: World,
  { node, progress: { facts } }: Simulation,
  { who, denom, token }: BalanceAsked,
): bigint {
  const address = addressOf(world, node, who, facts)
  if (token !== undefined) {
    const contract = addressOf(world, node, token.startsWith('0x') ? token : `@${token.replace(/^@/, '')}`, facts)
    return world.ethereum === undefined ? 0n : tokenBalance(trustedContext(world, node), contract, address)
  }
  if (denom === undefined) return world.ethereum?.account(node.chain.app, address).wei ?? 0n
  const { chain } = node
  const data = QueryBalanceRequest.encode({ address: addressText(node.settings, address), denom })
  const { value } = latestQuery(world, chain, '/cosmos.bank.v1beta1.Query/Balance', data)
  const balance = value === undefined ? undefined : QueryBalanceResponse.decode(value).balance
  return BigInt(balance?.amount ?? '0')
}
