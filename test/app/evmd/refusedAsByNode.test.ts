/** Refusals in the words of a real node, whose answers to the same messages are written here. */
import test from 'ava'
import { MsgMultiSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { packedOfJson } from '../../../src/codec/schema/protoJsonRead.ts'
import { any, ethereumPerson, person, startMessages } from '../../helpers/messageChain.ts'
import { operatorsOf, quickChain } from '../../helpers/randomMessages.ts'

type Json = Record<string, unknown>

const [alice, bob] = [person(0), person(1)]
const coins = (amount: string, denom = 'atest') => [{ denom, amount }]
const gov = 'cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn'
const packed = (json: Json): Any => Any.fromPartial(packedOfJson(json))

const refused = test.macro((t, json: Json, name: string, log: string) => {
  const chain = quickChain()
  const [validator_address] = operatorsOf(chain)
  const message = packed(json['validator_address'] === '' ? { ...json, validator_address } : json)
  const result = chain.send(alice, message)
  t.is(result.log, log)
  t.is(`${result.codespace} ${result.code}`, name)
})
const failed = 'failed to execute message; message index: 0: '

const key = (typeUrl: string, bytes: Uint8Array): Json => ({
  '@type': typeUrl,
  key: Buffer.from(bytes).toString('base64'),
})
const create = (changes: Json): Json => ({
  '@type': '/cosmos.staking.v1beta1.MsgCreateValidator',
  description: { moniker: 'm' },
  commission: { rate: '0.1', max_rate: '0.2', max_change_rate: '0.01' },
  min_self_delegation: '1',
  validator_address: alice.operator,
  pubkey: key('/cosmos.crypto.ed25519.PubKey', new Uint8Array(32).fill(7)),
  value: coins('1000000000000000000')[0],
  ...changes,
})

const parts: readonly (readonly [Json, string, string])[] = [
  [create({ description: { moniker: 'm'.repeat(71) } }), 'moniker', 'got: 71, max: 70'],
  [create({ description: { moniker: 'm', identity: 'i'.repeat(3001) } }), 'identity', 'got: 3001, max: 3000'],
  [create({ description: { moniker: 'm', website: 'w'.repeat(141) } }), 'website', 'got: 141, max: 140'],
  [
    create({ description: { moniker: 'm', security_contact: 'é'.repeat(71) } }),
    'security contact',
    'got: 142, max: 140',
  ],
  [create({ description: { details: 'd'.repeat(281) } }), 'details', 'got: 281, max: 280'],
]
for (const [json, name, length] of parts) {
  test(
    `a validator's ${name} has a greatest length`,
    refused,
    json,
    'sdk 18',
    `${failed}invalid ${name} length; ${length}: invalid request`,
  )
}

test('a validator may not change its moniker to a longer one', (t) => {
  const chain = quickChain()
  t.is(chain.send(alice, packed(create({ description: { details: 'no moniker' } }))).code, 0)
  const edit = (moniker: string) =>
    chain.send(
      alice,
      packed({
        '@type': '/cosmos.staking.v1beta1.MsgEditValidator',
        description: { moniker },
        validator_address: alice.operator,
      }),
    )
  t.is(edit('m'.repeat(71)).log, `${failed}invalid moniker length; got: 71, max: 70: invalid request`)
  t.is(edit('m'.repeat(70)).code, 0)
})

test(
  'a validator cannot sign with a key of an account',
  refused,
  create({ pubkey: key('/cosmos.crypto.secp256k1.PubKey', alice.publicKey) }),
  'staking 6',
  `${failed}got: secp256k1, expected: [ed25519]: validator pubkey type is not supported`,
)
test(
  'a validator cannot sign with a key of Ethereum',
  refused,
  create({ pubkey: key('/cosmos.evm.crypto.v1.ethsecp256k1.PubKey', alice.publicKey) }),
  'staking 6',
  `${failed}got: eth_secp256k1, expected: [ed25519]: validator pubkey type is not supported`,
)
const generatorOfP256 = Buffer.from('036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296', 'hex')
const panics = (why: string) => `recovered: ${why}\nstack:\n: panic`
const keys: readonly (readonly [what: string, pubkey: Json, name: string, log: string])[] = [
  [
    'an Ed25519 key of 31 bytes',
    key('/cosmos.crypto.ed25519.PubKey', new Uint8Array(31)),
    'undefined 111222',
    panics('pubkey is incorrect size'),
  ],
  [
    'an empty Ed25519 key',
    { '@type': '/cosmos.crypto.ed25519.PubKey' },
    'undefined 111222',
    panics('pubkey is incorrect size'),
  ],
  [
    'a Cosmos key of 32 bytes',
    key('/cosmos.crypto.secp256k1.PubKey', new Uint8Array(32)),
    'undefined 111222',
    panics('length of pubkey is incorrect'),
  ],
  [
    'a multisig',
    {
      '@type': '/cosmos.crypto.multisig.LegacyAminoPubKey',
      threshold: 1,
      public_keys: [key('/cosmos.crypto.secp256k1.PubKey', alice.publicKey)],
    },
    'staking 6',
    `${failed}got: PubKeyMultisigThreshold, expected: [ed25519]: validator pubkey type is not supported`,
  ],
  [
    'a key of secp256r1',
    key('/cosmos.crypto.secp256r1.PubKey', generatorOfP256),
    'staking 6',
    `${failed}got: secp256r1, expected: [ed25519]: validator pubkey type is not supported`,
  ],
  [
    'a key of secp256r1 of 5 bytes',
    key('/cosmos.crypto.secp256r1.PubKey', new Uint8Array(5)),
    'sdk 2',
    'wrong ECDSA PK bytes, expecting 33 bytes, got 5: invalid pubkey: tx parse error: tx parse error',
  ],
  [
    'a key of secp256r1 that is no point of the curve',
    key('/cosmos.crypto.secp256r1.PubKey', new Uint8Array(33).fill(1).fill(2, 0, 1)),
    'sdk 2',
    'wrong ECDSA PK bytes, unknown curve type: 2: invalid pubkey: tx parse error: tx parse error',
  ],
  [
    'a message as its key',
    { '@type': '/cosmos.bank.v1beta1.MsgSend' },
    'sdk 2',
    'no concrete type registered for type URL /cosmos.bank.v1beta1.MsgSend against interface *types.PubKey: ' +
      'tx parse error: tx parse error',
  ],
  [
    'a private key',
    key('/cosmos.crypto.ed25519.PrivKey', new Uint8Array(32)),
    'sdk 2',
    'no concrete type registered for type URL /cosmos.crypto.ed25519.PrivKey against interface *types.PubKey: ' +
      'tx parse error: tx parse error',
  ],
]
for (const [what, pubkey, name, log] of keys) {
  test(`a validator with ${what} is answered as by the node`, refused, create({ pubkey }), name, log)
}

test('looking for a validator with an Ethereum key that is no point takes the gas of an empty address', (t) => {
  const chain = quickChain()
  const gas = (bytes: Uint8Array) =>
    chain.send(alice, packed(create({ pubkey: key('/cosmos.evm.crypto.v1.ethsecp256k1.PubKey', bytes) }))).gasUsed
  // The first transaction also stores alice's own key.
  gas(alice.publicKey)
  // Of the key that is read, 20 bytes and their length are not there, at 3 gas each.
  t.is(gas(alice.publicKey) - gas(new Uint8Array(33).fill(7)), 63n)
})
test('an unbonding that does not exist is no registered error', (t) => {
  const chain = quickChain()
  const [validator_address] = operatorsOf(chain)
  const message = packed({
    '@type': '/cosmos.staking.v1beta1.MsgCancelUnbondingDelegation',
    delegator_address: alice.address,
    validator_address,
    amount: coins('1')[0],
    creation_height: '5',
  })
  const { codespace, code, log } = chain.send(alice, message)
  t.is(`${codespace} ${code}`, 'undefined 1')
  t.is(
    log,
    `${failed}rpc error: code = NotFound desc = unbonding delegation with delegator ${alice.address} ` +
      `not found for validator ${validator_address}`,
  )
})

const grant = (body: Json): Json => ({
  '@type': '/cosmos.authz.v1beta1.MsgGrant',
  granter: alice.address,
  grantee: bob.address,
  grant: body,
})
test(
  'a generic authorization names a type',
  refused,
  grant({ authorization: { '@type': '/cosmos.authz.v1beta1.GenericAuthorization', msg: '' } }),
  'undefined 1',
  `${failed}msg type cannot be empty`,
)
test(
  'a grant of nothing does not pass the first checks',
  refused,
  grant({}),
  'sdk 4',
  'authorization is nil: invalid type: unauthorized',
)

const allow = (allowance?: Json): Json => ({
  '@type': '/cosmos.feegrant.v1beta1.MsgGrantAllowance',
  granter: alice.address,
  grantee: bob.address,
  ...(allowance && { allowance }),
})
test(
  'a periodic allowance has an amount for each period',
  refused,
  allow({ '@type': '/cosmos.feegrant.v1beta1.PeriodicAllowance', basic: {}, period: '100s' }),
  'sdk 10',
  `${failed}spend limit must be positive: invalid coins`,
)
test(
  'an allowance of nothing makes the node panic',
  refused,
  allow(),
  'undefined 111222',
  'recovered: runtime error: invalid memory address or nil pointer dereference\nstack:\n: panic',
)

test(
  'only the authority plans an upgrade',
  refused,
  { '@type': '/cosmos.upgrade.v1beta1.MsgCancelUpgrade', authority: alice.address },
  'upgrade 6',
  `${failed}expected ${gov} got ${alice.address}: expected authority account as only signer for proposal message`,
)

const convert = (receiver: string): Json => ({
  '@type': '/cosmos.evm.erc20.v1.MsgConvertERC20',
  contract_address: ethereumPerson(1).hex,
  amount: '1',
  receiver,
  sender: `0x${'11'.repeat(20)}`,
})
const receivers = [
  ['', 'empty address string is not allowed'],
  ['x', 'decoding bech32 failed: invalid bech32 string length 1'],
  [ethereumPerson(1).hex, 'decoding bech32 failed: string not all lowercase or all uppercase'],
  [bob.operator, 'invalid Bech32 prefix; expected cosmos, got cosmosvaloper'],
] as const
for (const [receiver, reason] of receivers) {
  test(
    `tokens are not converted for "${receiver}"`,
    refused,
    convert(receiver),
    'undefined 1',
    `invalid receiver address: ${reason}`,
  )
}

const periodic = (to: string, periods: readonly Json[]): Json => ({
  '@type': '/cosmos.vesting.v1beta1.MsgCreatePeriodicVestingAccount',
  from_address: alice.address,
  to_address: to,
  start_time: '1000',
  vesting_periods: periods,
})
test(
  'periodic vesting takes at least one period',
  refused,
  periodic(person(62).address, []),
  'sdk 18',
  `${failed}vesting start-time cannot be before end-time: invalid request`,
)
test('the receiver of periodic vesting is checked before its coins', (t) => {
  const chain = startMessages({
    edit: (state) => Object.assign(state['bank'] ?? {}, { send_enabled: [{ denom: 'atest', enabled: false }] }),
  })
  const period = { length: '5', amount: coins('5') }
  const { log } = chain.send(alice, packed(periodic(bob.address, [period])))
  t.is(log, `${failed}account ${bob.address} already exists: invalid request`)
})

test('a proposal never runs an Ethereum transaction', (t) => {
  const ethereum = { '@type': '/cosmos.evm.vm.v1.MsgEthereumTx', from: Buffer.alloc(20, 1).toString('base64') }
  const { codespace, code, log } = quickChain().send(
    alice,
    packed({
      '@type': '/cosmos.gov.v1.MsgSubmitProposal',
      proposer: alice.address,
      title: 't',
      summary: 's',
      initial_deposit: coins('10000000'),
      messages: [ethereum],
    }),
  )
  t.is(`${codespace} ${code}`, 'gov 12')
  t.is(log, `${failed}raw transaction is required: invalid request: invalid proposal message`)
})

test('sending to several accounts creates them before it takes the coins', (t) => {
  const chain = quickChain()
  const gasTo = (address: string): bigint =>
    chain.send(
      alice,
      any(MsgMultiSend, {
        inputs: [{ address: alice.address, coins: coins('3', 'foo') }],
        outputs: [{ address, coins: coins('3', 'foo') }],
      }),
    ).gasUsed
  gasTo(bob.address)
  t.true(gasTo(person(70).address) - gasTo(bob.address) > 2000n)
})
