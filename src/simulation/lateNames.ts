/** The names, functions and parameters of expressions that only the running scenario can evaluate. */
import { ownValue } from '../data/members.ts'
import { mapGet } from '../data/persistentMap.ts'
import { base64Of } from '../codec/base64.ts'
import { latestBlock } from '../chain/view.ts'
import { hexOf } from '../codec/hex.ts'
import type { World } from '../node/world.ts'
import { type Draw, type Known, type Scalar, drawingFunctions } from '../scenario/expression.ts'
import type { NamedTx } from '../scenario/facts.ts'
import { valueIn } from '../scenario/jsonPath.ts'
import type { Progress } from '../scenario/progress.ts'
import type { Drawer } from '../scenario/verdict.ts'
import type { Simulation } from './turn.ts'
import { SimError, unlessRefused } from '../errors.ts'
import { signedCosmosTx, trustedContext } from './cosmosTx.ts'
import { filledJson } from '../scenario/late.ts'
import { accountsNamed } from './names.ts'

/**
 * Returns the names and functions for late expressions: the chain, transactions and their
 * contracts, values from `set`, step results, and draws. A draw does not depend on other rules or
 * repetitions.
 */
export function lateNames(world: World, simulation: Simulation, by = stepNow(simulation)): Known {
  const { node, progress } = simulation
  const { chain } = node
  const { facts } = progress
  const time = latestBlock(chain)?.block.header.time ?? chain.genesis.time
  const names = new Map<string, Scalar>([
    ['chain.height', chain.height],
    ['chain.time', time.seconds],
    ['chain.baseFee', world.ethereum?.nextBaseFee(chain.app) ?? 0n],
    ['chain.hash', hexOf(chain.lastBlockId.hash)],
    ...Object.entries(facts.txs).flatMap(([name, tx]) => txNames(name, tx)),
  ])
  for (const [name, address] of Object.entries(facts.accounts)) names.set(`tx.${name}.contract`, address)
  for (const [name, value] of Object.entries(facts.noted)) names.set(`set.${name}`, value)
  const draw: Draw = (label, below) => world.random.below(`expression:${by.id}:${label}`, by.index, below) as bigint
  return {
    get: (name) => names.get(name) ?? stepValue(progress, name),
    keys: () => names.keys(),
    functions: {
      ...drawingFunctions(draw),
      'tx.encode': ([from = '', what = '']) =>
        base64Of(encodedTx(world, simulation, { from: String(from), what: String(what) })),
    },
  }
}

function txNames(name: string, { hash, ethHash, from, nonce, label }: NamedTx): readonly (readonly [string, Scalar])[] {
  return [
    [`tx.${name}.hash`, `0x${ethHash ?? hash}`],
    [`tx.${name}.cometHash`, hash.toUpperCase()],
    [`tx.${name}.from`, `0x${from}`],
    [`tx.${name}.nonce`, nonce],
    ...(label === undefined ? [] : [[`tx.${name}.label`, label] as const]),
  ]
}

/** Returns the current step and its repetition, the default key for draws. */
function stepNow({ plan, progress }: Simulation): Drawer {
  return { id: plan.steps[progress.step]?.id ?? '', index: progress.watch.fired }
}

/**
 * Returns `step.ID.outcome`, the height or time of the step's start, or `step.ID.result` with a
 * path into the step's last response.
 */
function stepValue({ marks, outcomes, facts }: Progress, name: string): Scalar | undefined {
  const [root, id = '', what = '', ...path] = name.split('.')
  if (root !== 'step') return undefined
  const at = mapGet(marks, id)?.at
  switch (what) {
    case 'outcome':
      return mapGet(outcomes, id)
    case 'height':
      return at?.height
    case 'timeMs':
      return at?.timeMs
    case 'result': {
      const answer = ownValue(facts.answers, id)
      return answer === undefined ? undefined : scalarIn(valueIn(JSON.parse(answer), path))
    }
    default:
      return undefined
  }
}

function scalarIn(value: unknown): Scalar | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : String(value)
  return typeof value === 'string' || typeof value === 'boolean' ? value : undefined
}

const kinds = ['bank.send']

/**
 * Returns the bytes of a signed transaction that is not sent. `bank.send` sends one smallest unit
 * from the sender to itself. Throws `UnknownKind` for other kinds.
 */
function encodedTx(
  world: World,
  { node, progress: { facts } }: Simulation,
  {
    from,
    what,
  }: {
    readonly from: string
    readonly what: string
  },
): Uint8Array {
  if (!kinds.includes(what)) throw new UnknownKind(what)
  const sender = from.startsWith('@') || from.startsWith('0x') ? from : `@${from}`
  const denom = world.ethereum?.params(node.chain.app).coin.denom ?? ''
  return signedCosmosTx(
    trustedContext(world, node),
    {
      type: 'cosmosTx',
      from: sender,
      messages: [{ type: 'send', to: sender, coins: { denom, amount: '1' } }],
      gas: 300_000n,
      fee: undefined,
      memo: '',
      sequence: undefined,
      name: undefined,
      allowRevert: false,
    },
    facts,
  )
}

/** `tx.encode` does not support this kind of transaction. */
export class UnknownKind extends SimError {
  constructor(what: string) {
    super('UNKNOWN_KIND', `tx.encode has no transaction type "${what}"`, {
      hint: `Expected ${kinds.join(' or ')}.`,
    })
  }
}

/**
 * Returns the JSON text of parameters with their expressions evaluated, and with known names such
 * as `@alice` replaced by addresses.
 */
export function paramsNow(world: World, simulation: Simulation, json: string, by?: Drawer): string {
  const filled = filledJson(json, () => lateNames(world, simulation, by))
  if (!filled.includes('"@')) return filled
  const {
    node,
    progress: { facts },
  } = simulation
  const known = accountsNamed(world, node, facts)
  return JSON.stringify(
    JSON.parse(filled, (_, value: unknown) =>
      typeof value === 'string' && value.startsWith('@') ? (known.get(value.slice(1)) ?? value) : value,
    ),
  )
}

/** Returns the same parameters, or a value that matches nothing if a name is not yet known. */
export function paramsOrNever(world: World, simulation: Simulation, json: string): string {
  return unlessRefused(() => paramsNow(world, simulation, json)) ?? '["\\u0000"]'
}
