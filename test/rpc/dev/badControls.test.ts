/**
 * Every control refuses what is no value of its parameters, names what it wants, and leaves the
 * node as it was. The cases come from the declarations, so that a new control cannot be forgotten.
 */
import test from 'ava'
import type { Node } from '../../../src/node/node.ts'
import { cometTable } from '../../../src/rpc/comet/index.ts'
import { cometMock } from '../../../src/rpc/comet/mock/cometMock.ts'
import { devTable } from '../../../src/rpc/dev/index.ts'
import { start } from '../../../src/index.ts'
import { localSimulation } from '../../helpers/ethSimulation.ts'
import { schemaComplaints, type Schema } from '../../helpers/jsonSchema.ts'

type Titled = Schema & { readonly title?: string }

const kinds: readonly (readonly [pattern: string, good: string, named: RegExp])[] = [
  ['^0x[0-9a-fA-F]{40}$', `0x${'11'.repeat(20)}`, /common\.Address|address|20 bytes/],
  ['^0x[0-9a-fA-F]{64}$', `0x${'11'.repeat(32)}`, /32 bytes|common\.Hash|want 64/],
  ['^0x([0-9a-fA-F]{2})*$', '0x', /hex|hexutil\.Bytes/],
]

/** The schema without the null that stands for a parameter left out. */
function bare(schema: Titled): Titled {
  const { anyOf } = schema
  const last = anyOf?.at(-1)
  return last?.type === 'null' && anyOf?.length === 2 ? bare(anyOf[0] ?? {}) : schema
}

/** A value that fits, and what an error must name. */
function goodOf(schema: Titled): readonly [good: unknown, named: RegExp] {
  const { title, type, pattern, anyOf, enum: list } = bare(schema)
  if (title !== undefined) return ['0x1', new RegExp(title)]
  const kind = kinds.find(([one]) => one === pattern)
  if (kind !== undefined) return [kind[1], kind[2]]
  if (list !== undefined) {
    return [list[0], /the view "evm" \(Ethereum JSON-RPC only\) or "chain" \(all interfaces\)/]
  }
  if (type === 'boolean') return [true, /bool/]
  if (type === 'array') return [[], /\[transaction, index of its block\]/]
  if (type === 'object') return [{}, /object|TransactionArgs|Options|expected/]
  if (type === 'string') return ['0x1', /string/]
  return anyOf === undefined ? [undefined, /$^/] : goodOf(anyOf[0] ?? {})
}

const candidates: readonly unknown[] = [
  true,
  5,
  -1,
  1.5,
  'nonsense',
  '0x12',
  '0xzz',
  '',
  '5s',
  {},
  [],
  [[1]],
  { unit: 1 },
]

/**
 * Of texts that stand for numbers a schema says nothing more: the rule is that of the reference.
 */
const isWholeNumber = (value: unknown) =>
  /^(\d+|0x[0-9a-f]+)$/i.test(typeof value === 'boolean' ? '' : String(value)) &&
  ['string', 'number'].includes(typeof value)

function isWrong(schema: Titled, value: unknown): boolean {
  const inner = bare(schema)
  // geth reads an empty text as no bytes.
  if (inner.pattern === kinds[2]?.[0] && value === '') return false
  if (inner.type === undefined && inner.anyOf === undefined) return false
  const hasObject = inner.anyOf?.some(({ type }) => type === 'object') === true
  // Members that are not known are let be, as the nodes do that these names come from.
  if (hasObject || inner.type === 'object') {
    return typeof value !== 'object' && !(hasObject && isWholeNumber(value))
  }
  if (inner.title !== undefined) return !isWholeNumber(value)
  if (inner.type === 'array') return Array.isArray(value) && value.length > 0
  return schemaComplaints({}, inner, value, '').length > 0
}

/** Nothing of a node is ever changed in place: what is the same value is as it was. */
function parts(node: Node): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(node).filter(([name]) => name !== 'nowMs'))
}

const actions = devTable.methods.filter(({ kind, params }) => kind === 'action' && params.length > 0)

test('what is no value of a parameter is refused by what was wanted, and nothing changes', (t) => {
  const chain = localSimulation()
  chain.call('evm_snapshot')
  let tried = 0
  for (const { name, params } of actions) {
    const schemas = params.map(({ codec }) => codec.schema as Titled)
    const good = schemas.map((schema) => goodOf(schema)[0])
    for (const [index, schema] of schemas.entries()) {
      for (const wrong of candidates.filter((value) => isWrong(schema, value))) {
        const given = good.map((value, at) => (at === index ? wrong : value)).slice(0, Math.max(index + 1, good.length))
        const before = chain.simulation().node
        const { error } = chain.call(name, ...given)
        const told = `${name} ${JSON.stringify(given)}: ${JSON.stringify(error)}`
        t.is(error?.code, -32602, told)
        t.regex(error?.message ?? '', goodOf(schema)[1], told)
        for (const [part, value] of parts(chain.simulation().node)) {
          t.true(value === parts(before).get(part), `${told} changed ${part}`)
        }
        tried++
      }
    }
  }
  t.true(tried > 500, `${tried} cases`)
})

test('a parameter that is needed and left out is refused, and nothing changes', (t) => {
  const chain = localSimulation()
  chain.call('evm_snapshot') // the first call makes the first block
  for (const { name, params } of actions.filter((one) => one.params[0]?.fallback === undefined)) {
    const before = chain.simulation().node
    t.regex(
      chain.call(name).error?.message ?? '',
      /missing value for required argument 0/,
      `${name} ${params[0]?.name ?? ''}`,
    )
    for (const [part, value] of parts(chain.simulation().node)) {
      t.true(value === parts(before).get(part), `${name} changed ${part}`)
    }
  }
})

const nobody = `0x${'99'.repeat(20)}`
const unfit: readonly (readonly [name: string, params: readonly unknown[], text: RegExp])[] = [
  ['anvil_mine', ['0xffffffff'], /at most 1000000 blocks, received 4294967295/],
  ['evm_mine', [1], /is not later than the last block's \d+ \(seconds\)/],
  ['evm_setNextBlockTimestamp', ['0x1'], /is not later than the last block's \d+ \(seconds\)/],
  ['evm_setTime', ['0x1'], /is not later than the last block's \d+ \(seconds\)/],
  ['evm_setBlockGasLimit', ['0x0'], /a gas limit from 1 to 9223372036854775807, received 0/],
  [
    'evm_setBlockGasLimit',
    ['0x8000000000000000'],
    /a gas limit from 1 to 9223372036854775807, received 9223372036854775808/,
  ],
  ['anvil_rollback', ['0x9'], /a depth of 1 to 2 blocks, received 9/],
  ['anvil_rollback', [0], /a depth of 1 to 2 blocks, received 0/],
  ['anvil_reorg', [9, []], /a depth of 1 to 2 blocks, received 9/],
  ['anvil_reorg', [1, [[{ from: nobody }, 1]]], /expected a block index from 0 to 0, received 1/],
  ['chainstage_reorg', [9, 'evm'], /a depth of 1 to 2 blocks, received 9/],
  ['chainstage_reorg', [1, 'evm', [[{ from: nobody }, 0]]], /expected no transactions with the view "evm"/],
  ['anvil_reset', [{ forking: { jsonRpcUrl: 'http://x' } }], /fork/],
  ['anvil_dealERC20', [nobody, nobody, '0x1'], /found no storage slot/],
  ['anvil_loadState', ['0x1234'], /expected a dump from anvil_dumpState/],
  ['hardhat_setNonce', ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '0x0'], /a nonce of at least 1, received 0/],
  ['anvil_setMinGasPrice', ['0x1'], /setNextBlockBaseFeePerGas/],
  ['anvil_setChainId', [1], /--evm\.evm-chain-id/],
  ['anvil_setRpcUrl', ['http://x'], /fixed at startup/],
]

for (const [name, params, text] of unfit) {
  test(`${name} of ${JSON.stringify(params).slice(0, 60)} is refused, and nothing changes`, (t) => {
    const chain = localSimulation(name.startsWith('hardhat') ? { dialect: 'hardhat' } : {})
    chain.call('eth_sendTransaction', { from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', to: nobody, value: '0x1' })
    chain.call('evm_mine')
    const before = chain.simulation().node
    t.regex(chain.call(name, ...params).error?.message ?? 'no error', text)
    for (const [part, value] of parts(chain.simulation().node)) {
      t.true(value === parts(before).get(part), part)
    }
  })
}

test('an unknown checkpoint is false, and nothing changes', (t) => {
  const chain = localSimulation()
  chain.call('evm_snapshot')
  const before = chain.simulation().node
  for (const id of ['0x9', '', 'yesterday']) t.is(chain.call('evm_revert', id).result, false)
  for (const [part, value] of parts(chain.simulation().node)) {
    t.true(value === parts(before).get(part), part)
  }
})

const badComet: readonly (readonly [name: string, params: Record<string, unknown>, text: RegExp])[] = [
  ['advance_blocks', { num_blocks: 'many' }, /num_blocks.*a whole number of blocks, received/],
  ['advance_blocks', { num_blocks: '0' }, /num_blocks must be 1 to 100000, got 0/],
  ['advance_blocks', { num_blocks: '100001' }, /num_blocks must be 1 to 100000/],
  ['advance_time', { duration_in_seconds: '1h' }, /duration_in_seconds.*a whole number of seconds, received/],
  ['advance_time', { duration_in_seconds: '-1' }, /duration_in_seconds must not be negative/],
  ['set_signing_status', { private_key_address: 'nobody', status: 'down' }, /validator/],
  ['set_signing_status', { private_key_address: '$validator', status: 'off' }, /`up` or `down`/],
  ['cause_double_sign', { private_key_address: '00' }, /validator/],
  [
    'cause_light_client_attack',
    { private_key_address: '$validator', misbehaviour_type: 'Rude' },
    /misbehaviour_type must be one of Equivocation, Lunatic, Amnesia/,
  ],
]

test('controls of CometMock refuse what is no value of theirs, and nothing changes', async (t) => {
  await using chain = await start({ ports: 'none' })
  const { validators } = chain.simulation().node.chain.validators
  const validator = Buffer.from(validators[0]?.address ?? [])
    .toString('hex')
    .toUpperCase()
  for (const [name, params, text] of badComet) {
    const given = Object.fromEntries(
      Object.entries(params).map(([key, value]) => [key, value === '$validator' ? validator : value]),
    )
    const before = chain.simulation().node
    const error = await t.throwsAsync(chain.comet.call(name, given), undefined, `${name} ${JSON.stringify(given)}`)
    t.regex(`${error?.message} ${JSON.stringify(error)}`, text, `${name} ${JSON.stringify(given)}`)
    for (const [part, value] of parts(chain.simulation().node)) {
      t.true(value === parts(before).get(part), `${name} changed ${part}`)
    }
  }
  const tried = new Set(badComet.map(([name]) => name))
  t.deepEqual(
    cometMock.map(({ name }) => name).filter((name) => !tried.has(name)),
    [],
  )
  t.true(cometMock.every(({ name }) => cometTable.byName.has(name)))
})
