/** Actions that send transactions, signed with the node's keys. */
import { ownValue } from '../../data/members.ts'
import { createdAddress } from '../../crypto/contractAddress.ts'
import type { Submitted } from '../../chain/outcome.ts'
import { base64Of } from '../../codec/base64.ts'
import { plainHexOf } from '../../codec/hex.ts'
import { sha256 } from '../../crypto/hash.ts'
import { SimError, isExpected } from '../../errors.ts'
import type { NodeCommand } from '../../node/command.ts'
import type { PlannedCosmosTx, PlannedTx } from '../../plan/action.ts'
import type { World } from '../../node/world.ts'
import { sendAsNode } from '../../rpc/eth/sendAsNode.ts'
import type { TxArgs } from '../../app/txArgs.ts'
import type { Facts } from '../../scenario/facts.ts'
import { dataOf } from '../../scenario/abiArgs.ts'
import { signedCosmosTx, trustedContext } from '../cosmosTx.ts'
import { type Occasion, type SettledTx, drawnTx, isDrawn } from '../drawnTx.ts'
import { allowedGas } from '../fixtureTx.ts'
import { addressOf } from '../names.ts'
import { type Turn, carried, withFacts, withLog } from '../turn.ts'
import { asking } from '../served.ts'
import { plannedFee } from './mempool.ts'

/** Gas limit of a transaction that may fail; its gas is not estimated. */
const generousGas = 1_000_000n

/**
 * Sends a transaction. If a drawn value makes it invalid (such as an amount above the balance),
 * logs that and sends nothing.
 */
function sendTx(world: World, turn: Turn, action: PlannedTx, occasion: Occasion): Turn {
  const settled = drawnTx(world, turn.simulation.node, action, occasion)
  try {
    return sendDrawn(world, turn, settled, occasion)
  } catch (error) {
    if (!isDrawn(action) || !isExpected(error)) throw error
    const text = `${occasion.id}: the drawn transaction was refused: ${error.message}`
    return withLog(turn, 'debug', text)
  }
}

function sendDrawn(world: World, turn: Turn, planned: SettledTx, { index }: Occasion): Turn {
  const context = trustedContext(world, turn.simulation.node)
  const command = sendAsNode(context, argsOf(world, turn, planned))
  return submitted(world, turn, { command, label: labelAt(planned, index), ...planned })
}

/**
 * Returns the turn after a Cosmos transaction was sent. Throws `TxRefused` if it is rejected,
 * unless the step uses `broadcast`; then the step checks the response.
 */
function cosmosTx(world: World, turn: Turn, planned: PlannedCosmosTx, occasion: Occasion): Turn {
  const { index } = occasion
  const tx = signedCosmosTx(trustedContext(world, turn.simulation.node), planned, turn.simulation.progress.facts)
  if (planned.broadcast !== undefined) {
    return broadcast(world, turn, { tx, planned, mode: planned.broadcast, occasion })
  }
  const command = { type: 'submitTx', tx, mode: 'admit' } as const
  return submitted(world, turn, { command, label: labelAt(planned, index), ...planned })
}

type Broadcasting = {
  readonly tx: Uint8Array
  readonly planned: PlannedCosmosTx
  readonly mode: 'async' | 'sync' | 'commit'
  readonly occasion: Occasion
}

function broadcast(world: World, turn: Turn, { tx, planned, mode, occasion: { id, index } }: Broadcasting): Turn {
  const {
    plan,
    progress: { step, facts },
  } = turn.simulation
  if (plan.steps[step]?.id !== id) throw new BroadcastNeedsStep()
  const { name, allowRevert } = planned
  const label = labelAt(planned, index)
  const hashes = { hash: sha256(tx), ethHash: undefined }
  const labelled = label === undefined ? turn : withLabel(turn, label, hashes)
  const named = name === undefined ? labelled : remembered(world, labelled, { name, label, tx, outcome: hashes })
  const key = `broadcast ${facts.asked.length}`
  const waiting = withFacts(named, {
    broadcasts: {
      ...facts.broadcasts,
      [key]: { step: id, mayFail: allowRevert, answer: undefined },
    },
  })
  const params = JSON.stringify({ tx: base64Of(tx) })
  return asking(world, waiting, key, { side: 'comet', method: `broadcast_tx_${mode}`, params })
}

function labelAt({ labels = [] }: Pick<PlannedCosmosTx, 'labels'>, index: number): string | undefined {
  return labels[index % labels.length]
}

function argsOf(world: World, { simulation }: Turn, planned: SettledTx): TxArgs {
  const {
    node,
    progress: { facts },
  } = simulation
  const resolve = (who: string) => addressOf(world, node, who, facts)
  const { from, to, data, value, nonce, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, allowRevert } = planned
  const feeCap = maxFeePerGas === undefined ? undefined : plannedFee(world, node, maxFeePerGas)
  return {
    ...noArgs,
    from: resolve(from),
    to: to === undefined ? undefined : resolve(to),
    value,
    data: dataOf(data, resolve),
    nonce: typeof nonce === 'string' ? nonceOf(facts, nonce) : nonce,
    gas: gas ?? (allowRevert ? allowedGas(node.chain, generousGas) : undefined),
    gasPrice,
    maxFeePerGas: feeCap,
    // The tip is proportional, so that a higher fee cap also means a higher tip.
    maxPriorityFeePerGas: maxPriorityFeePerGas ?? (feeCap === undefined ? undefined : feeCap / 100n),
  }
}

const noArgs: TxArgs = {
  from: undefined,
  to: undefined,
  gas: undefined,
  gasPrice: undefined,
  maxFeePerGas: undefined,
  maxPriorityFeePerGas: undefined,
  value: undefined,
  nonce: undefined,
  data: undefined,
  input: undefined,
  accessList: undefined,
  chainId: undefined,
  maxFeePerBlobGas: undefined,
  blobVersionedHashes: undefined,
  blobs: undefined,
  commitments: undefined,
  proofs: undefined,
  authorizationList: undefined,
}

function nonceOf({ txs }: Facts, name: string): bigint {
  const known = ownValue(txs, name)
  if (known === undefined) throw new UnknownTx(name, Object.keys(txs))
  return known.nonce
}

type Sending = {
  readonly command: NodeCommand
  readonly name: string | undefined
  readonly label: string | undefined
  readonly allowRevert: boolean
}

function submitted(world: World, turn: Turn, { command, name, label, allowRevert }: Sending): Turn {
  const { turn: next, outcome } = carried(world, turn, command)
  if (outcome.type !== 'submitted' || command.type !== 'submitTx') return next
  const { admitted, check } = outcome
  const refusal = outcome.refusal ?? (admitted || check?.code === 0 ? undefined : check?.log)
  if (refusal !== undefined && !allowRevert) throw new TxRefused(refusal)
  const told = label === undefined ? next : withLabel(next, label, outcome)
  return name === undefined ? told : remembered(world, told, { name, label, tx: command.tx, outcome })
}

type Hashes = Pick<Submitted, 'hash' | 'ethHash'>

/** Logs the label of a transaction. */
function withLabel(turn: Turn, label: string, { hash, ethHash }: Hashes): Turn {
  return withLog(turn, 'debug', `sent 0x${plainHexOf(ethHash ?? hash)}: ${label}`)
}

type Sent = {
  readonly name: string
  readonly label: string | undefined
  readonly tx: Uint8Array
  readonly outcome: Hashes
}

/** Stores the names of a transaction and of the contract it creates. */
function remembered(world: World, turn: Turn, { name, label, tx, outcome }: Sent): Turn {
  const { txs, accounts } = turn.simulation.progress.facts
  const [inside] = world.ethereum?.unwrap(tx) ?? []
  const named = {
    hash: plainHexOf(outcome.hash),
    ethHash: outcome.ethHash === undefined ? undefined : plainHexOf(outcome.ethHash),
    from: inside === undefined ? '' : plainHexOf(inside.from),
    nonce: inside?.tx.nonce ?? 0n,
    ...(label !== undefined && { label }),
  }
  const made =
    inside === undefined || inside.tx.to !== undefined
      ? {}
      : { [name]: `0x${plainHexOf(createdAddress(inside.from, inside.tx.nonce))}` }
  return withFacts(turn, { txs: { ...txs, [name]: named }, accounts: { ...accounts, ...made } })
}

/** The chain rejected a transaction. */
export class TxRefused extends SimError {
  constructor(why: string) {
    super('TX_REFUSED', why, { hint: 'If the transaction is meant to revert, set allowRevert: true.' })
  }
}

/** `broadcast` is used outside a step; only a step can wait for the response. */
export class BroadcastNeedsStep extends SimError {
  constructor() {
    super('BROADCAST_NEEDS_STEP', 'broadcast is only valid in the steps of a scenario', {
      hint: 'Remove broadcast here: rules and finally do not wait for a response.',
    })
  }
}

/** No transaction has this name. */
export class UnknownTx extends SimError {
  constructor(name: string, known: readonly string[]) {
    super('UNKNOWN_TX', `no transaction is called "${name}"`, {
      hint: `Known transactions: ${known.join(', ') || 'none'}.`,
    })
  }
}

export const transactionPerformers = { sendTx, cosmosTx }
