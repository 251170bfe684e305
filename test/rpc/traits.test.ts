/** Every method declares what recordings, forks and redaction read of it: no table can lag behind. */
import test from 'ava'
import type { Method, Param, Trait } from '../../src/rpc/method.ts'
import { mayCarrySecrets } from '../../src/rpc/anyMethod.ts'
import { sides } from '../../src/rpc/sides.ts'

const methods = Object.values(sides).flatMap(({ dialect }) => dialect.table.methods)

/** The latest or pending block. */
function isTag(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'tag' in value
}

/** Returns `method.parameter` of all parameters that a rule is about and that break it. */
function breaking(
  isMeant: (param: Param<unknown>, method: Method) => boolean,
  isRight: (param: Param<unknown>) => boolean,
): readonly string[] {
  return methods.flatMap((method) =>
    method.params
      .filter((param) => isMeant(param, method) && !isRight(param))
      .map((param) => `${method.name}.${param.name}`),
  )
}

test('a parameter named after a block or height has the role of one', (t) => {
  const roles = ['block', 'state', 'newestBlock', 'searchedBefore', 'searchedAfter']
  const isBlock = ({ name }: Param<unknown>) => /^(?:block|newest|(?:min|max)?height)$/i.test(name)
  t.deepEqual(
    breaking(isBlock, ({ role = '' }) => roles.includes(role)),
    [],
  )
  t.true(breaking(isBlock, () => false).length > 40)
})

test('a parameter that may be left out for the latest state has the role of state', (t) => {
  const isState = ({ fallback }: Param<unknown>) => isTag(fallback?.value)
  t.deepEqual(
    breaking(isState, ({ role }) => role === 'state' || role === 'block'),
    [],
  )
})

test('a parameter named hash says whether it is that of a block or of a transaction', (t) => {
  t.deepEqual(
    breaking(
      ({ name }) => name === 'hash',
      ({ role }) => role === 'blockHash' || role === 'txHash',
    ),
    [],
  )
  const namesBlock = /block|header|uncle|intermediateRoots/i
  t.deepEqual(
    breaking(
      ({ role }, { name }) => role === 'blockHash' || (role === 'txHash' && namesBlock.test(name)),
      ({ role }) => role === 'blockHash',
    ),
    [],
  )
  t.deepEqual(
    methods
      .filter(({ name, params }) => !namesBlock.test(name) && params.some(({ role }) => role === 'blockHash'))
      .map(({ name }) => name),
    [],
  )
})

test('a parameter named query has the role of one', (t) => {
  t.deepEqual(
    breaking(
      ({ name }) => name === 'query',
      ({ role }) => role === 'query',
    ),
    [],
  )
})

test('bytes and defaults of CometBFT RPC say how they are spelled', (t) => {
  const isComet = (method: Method) => sides.comet.dialect.table.byName.has(method.name)
  t.deepEqual(
    breaking(
      ({ name }, method) => isComet(method) && /^(?:hash|tx|data)$/.test(name),
      ({ bytes }) => bytes !== undefined,
    ),
    [],
  )
  t.deepEqual(
    breaking(
      ({ name }, method) => isComet(method) && /^(?:height|page|per_page|order_by|prove|limit)$/.test(name),
      ({ unset }) => unset !== undefined,
    ),
    [],
  )
})

test('a method with a password, passphrase or key carries secrets', (t) => {
  const names = /^(?:password|passphrase|key|pin)$/i
  const found = methods.filter(({ params }) => params.some(({ name }) => names.test(name)))
  t.deepEqual(
    found.map(({ name }) => name).filter((name) => !mayCarrySecrets(name)),
    [],
  )
  t.true(found.length > 4)
})

const declared = test.macro((t, trait: Trait, pattern: RegExp) => {
  const meant = methods.filter(({ name }) => pattern.test(name))
  t.true(meant.length > 0)
  t.deepEqual(
    meant.filter(({ traits }) => !traits.includes(trait)).map(({ name }) => name),
    [],
  )
})

test(
  'a method that sends or broadcasts submits',
  declared,
  'submits',
  /^(?:(?:eth|personal|wallet)_send|eth_resend$|broadcast_)/,
)
test('a method that signs for an account is guarded from pages', (t) => {
  const meant = methods.filter(({ name }) =>
    /^(?:eth_sign|eth_resend$|eth_sendTransaction|personal_sign|personal_send|wallet_send)/.test(name),
  )
  t.true(meant.length > 8)
  const guards: readonly Trait[] = ['usesAccounts', 'changesWorld']
  t.deepEqual(
    meant.filter(({ traits }) => !guards.some((one) => traits.includes(one))).map(({ name }) => name),
    [],
  )
})
test('a method that makes a filter says so', declared, 'makesFilter', /^eth_new\w*Filter$/)
test('a method of the mempool says so', declared, 'ofMempool', /^txpool_|unconfirmed_txs$/)
test('a method that ends listening says so', declared, 'stopsListening', /unsubscribe|uninstall/)
