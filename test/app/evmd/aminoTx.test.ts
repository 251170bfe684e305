/** Transactions in amino's forms: what comes out of the binary is what went in, and nonsense is refused. */
import test from 'ava'
import { aminoBinaryOf, aminoJsonOf } from '../../../src/app/evmd/tx/aminoTx.ts'
import { isExpected } from '../../../src/errors.ts'

const coins = [{ denom: 'atest', amount: '5' }]
const validator = 'cosmosvaloper1b'

function stdTx(messages: readonly object[], members: object = {}): string {
  const fee = { amount: [{ denom: 'atest', amount: '100' }], gas: '200000' }
  const value = { msg: messages, fee, signatures: null, memo: 'amino', timeout_height: '0', ...members }
  return JSON.stringify({ type: 'cosmos-sdk/StdTx', value })
}

const survives = test.macro((t, ...messages: (readonly [type: string, value: object])[]) => {
  const json = stdTx(messages.map(([type, value]) => ({ type, value })))
  t.is(aminoJsonOf(aminoBinaryOf(json)), json)
})

test('a sending', survives, ['cosmos-sdk/MsgSend', { from_address: 'a', to_address: 'b', amount: coins }])
test(
  'two messages, of a number and an enumeration',
  survives,
  ['cosmos-sdk/MsgVote', { proposal_id: '7', voter: 'a', option: 1 }],
  ['cosmos-sdk/MsgDelegate', { delegator_address: 'a', validator_address: validator, amount: coins[0] ?? {} }],
)
test('a message within a message, with times and a duration', survives, [
  'cosmos-sdk/MsgGrantAllowance',
  {
    granter: 'a',
    grantee: 'b',
    allowance: {
      type: 'cosmos-sdk/PeriodicAllowance',
      value: {
        basic: { spend_limit: coins, expiration: '2027-01-01T00:00:00Z' },
        period: '3600000000001',
        period_spend_limit: coins,
        period_can_spend: [],
        period_reset: '2027-01-01T00:00:00.5Z',
      },
    },
  },
])

test('who pays, the signatures and the height limit survive', (t) => {
  const key = { type: 'tendermint/PubKeySecp256k1', value: 'A6q73mavKf+3Su1r9Ks6Y3w6T+17Ety5opH7/lFW99ek' }
  const json = stdTx([], {
    fee: { amount: [], gas: '1', payer: 'p', granter: 'g' },
    signatures: [{ pub_key: key, signature: 'AAAA' }],
    timeout_height: '18446744073709551615',
  })
  // No messages are no list after Go's binary form.
  t.is(aminoJsonOf(aminoBinaryOf(json)), json.replace('"msg":[]', '"msg":null'))
})

const deep = 1000
const nested = `${'{"type":"cosmos-sdk/MsgExec","value":{"grantee":"a","msgs":['.repeat(deep)}${']}}'.repeat(deep)}`

const refusals: Readonly<Record<string, readonly [json: string, said: RegExp]>> = {
  'no JSON': ['{', /^cannot parse disfix JSON wrapper: unexpected end of JSON input$/],
  'a list': ['[]', /^cannot parse disfix JSON wrapper/],
  'no value': ['{"type":"cosmos-sdk/StdTx"}', /non-empty value field$/],
  'another type': ['{"type":"cosmos-sdk/MsgSend","value":{}}', /^expected the type cosmos-sdk\/StdTx/],
  'messages that are no list': [stdTx([], { msg: 5 }), /^expected a list/],
  'a number that is no text': [stdTx([], { timeout_height: 5 }), /expects quoted values/],
  'a number that is too large': [stdTx([], { timeout_height: '18446744073709551616' }), /^invalid 64-bit integer/],
  'a message of an inherited name': [stdTx([{ type: 'constructor', value: {} }]), /^unrecognized concrete type name/],
  'a message that is a text': [stdTx([{ type: 'cosmos-sdk/MsgSend', value: 'x' }]), /^expected an object for/],
  'a text that is a number': [
    stdTx([{ type: 'cosmos-sdk/MsgSend', value: { from_address: 5 } }]),
    /^json: cannot unmarshal number/,
  ],
  'messages within messages without end': [stdTx([]).replace('"msg":[]', `"msg":[${nested}]`), /more than 32 deep$/],
}
for (const [what, [json, said]] of Object.entries(refusals)) {
  test(`amino JSON is refused: ${what}`, (t) => {
    const error = t.throws(() => aminoBinaryOf(json), { message: said })
    t.true(isExpected(error))
  })
}

test('every cut and every changed byte of the binary is read or refused', (t) => {
  const binary = aminoBinaryOf(stdTx([{ type: 'cosmos-sdk/MsgSend', value: { from_address: 'a', amount: coins } }]))
  const tried = [
    ...Array.from(binary.keys(), (length) => binary.subarray(0, length)),
    ...Array.from(binary.keys(), (at) => Uint8Array.from(binary, (byte, index) => (index === at ? byte ^ 0x55 : byte))),
  ]
  let refused = 0
  for (const bytes of tried) {
    try {
      JSON.parse(aminoJsonOf(bytes))
    } catch (error) {
      refused++
      t.true(isExpected(error), String(error))
    }
  }
  t.true(refused > binary.length / 2)
})

test('the error for another binary names its first four bytes, with dots unless it has fewer', (t) => {
  t.throws(() => aminoJsonOf(Uint8Array.of(0, 1, 2, 3)), { message: /but got 00010203\.\.\.$/ })
  t.throws(() => aminoJsonOf(Uint8Array.of(0, 1, 2)), { message: /but got 000102$/ })
})
