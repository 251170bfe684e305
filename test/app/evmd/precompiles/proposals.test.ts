/** Precompile 0x805: proposals with messages in JSON, deposits on them and taking them back. */
import test from 'ava'
import { decodeErrorResult, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi, stringToHex } from 'viem'
import { bech32Of } from '../../../../src/codec/bech32.ts'
import {
  abi,
  alice,
  at,
  caller,
  type CallerChain,
  failureOf,
  methods,
  startCaller,
} from '../../../helpers/precompiles.ts'

const gov = parseAbi([
  'function submitProposal(address,bytes,(string,uint256)[]) returns (uint64)',
  'function deposit(address,uint64,(string,uint256)[]) returns (bool)',
  'function cancelProposal(address,uint64) returns (bool)',
  'function getDeposits(uint64,(bytes,uint64,uint64,bool,bool)) view returns ((uint64,address,(string,uint256)[])[],(bytes,uint64))',
])
const authority = 'cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn'
const text = { title: 'A title', summary: 'What for', metadata: '' }
const spelled = bech32Of('cosmos', Uint8Array.from(Buffer.from(caller.slice(2), 'hex')))

const forwarded = (data: Hex): Hex => encodeFunctionData({ abi, functionName: 'forward', args: [at.gov, data] })

function proposal(messages: readonly object[], deposit = 100n): Hex {
  const json = stringToHex(JSON.stringify({ messages, ...text }))
  return encodeFunctionData({
    abi: gov,
    functionName: 'submitProposal',
    args: [caller, json, [['atest', deposit]]],
  })
}

function proposalIn({ call }: CallerChain, id: bigint) {
  const data = encodeFunctionData({ abi: methods, functionName: 'getProposal', args: [id] })
  return decodeFunctionResult({
    abi: methods,
    functionName: 'getProposal',
    data: call(at.gov, data).output,
  })
}

test('a contract proposes messages in JSON, adds a deposit and takes it back', async (t) => {
  const world = await startCaller()
  const spend = {
    '@type': '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
    authority,
    recipient: spelled,
    amount: [{ denom: 'atest', amount: '5' }],
  }
  const update = {
    '@type': '/cosmos.consensus.v1.MsgUpdateParams',
    authority,
    block: { max_bytes: '1000000', max_gas: '30000000' },
    evidence: { max_age_num_blocks: '10', max_age_duration: '60s', max_bytes: '1000' },
    validator: { pub_key_types: ['ed25519'] },
    abci: { vote_extensions_enable_height: '0' },
  }
  t.is(failureOf(await world.send(caller, forwarded(proposal([spend, update])))), undefined)
  const [id, messages, status] = proposalIn(world, 1n)
  t.deepEqual([id, messages, status], [1n, [spend['@type'], update['@type']], 1])
  const more = encodeFunctionData({
    abi: gov,
    functionName: 'deposit',
    args: [caller, 1n, [['atest', 900n]]],
  })
  t.is(failureOf(await world.send(caller, forwarded(more))), undefined)
  t.is(proposalIn(world, 1n)[2], 2, 'the voting has begun')
  const before = world.wei(caller)
  const cancel = encodeFunctionData({ abi: gov, functionName: 'cancelProposal', args: [caller, 1n] })
  t.is(failureOf(await world.send(caller, forwarded(cancel))), undefined)
  t.is(world.wei(caller), before + 500n, 'half of the deposit is burned')
  const gone = world.call(
    at.gov,
    encodeFunctionData({
      abi: methods,
      functionName: 'getProposal',
      args: [1n],
    }),
  )
  t.is(gone.status, 'revert')
})

const refused: Readonly<Record<string, readonly [readonly object[], RegExp]>> = {
  'of a type that is not known': [[{ '@type': '/x.MsgY' }], /message 0: unable to resolve type URL/],
  'with an unknown member': [
    [{ '@type': '/cosmos.upgrade.v1beta1.MsgCancelUpgrade', authority, x: 1 }],
    /unknown field "x"/,
  ],
  'that another account signs': [
    [
      {
        '@type': '/cosmos.bank.v1beta1.MsgSend',
        from_address: spelled,
        to_address: spelled,
        amount: [{ denom: 'atest', amount: '1' }],
      },
    ],
    /expected gov account as only signer for proposal message/,
  ],
}

for (const [name, [messages, reason]] of Object.entries(refused)) {
  test(`a proposal with a message ${name} is refused`, async (t) => {
    const world = await startCaller()
    const json = stringToHex(JSON.stringify({ messages, ...text }))
    const answer = world.call(
      caller,
      encodeFunctionData({
        abi,
        functionName: 'propose',
        args: [json, 100n],
      }),
    )
    t.is(answer.status, 'revert')
    t.regex(Buffer.from(answer.output.slice(2), 'hex').toString('utf8'), reason)
  })
}

const votes = parseAbi([
  'function vote(address,uint64,uint8,string) returns (bool)',
  'function voteWeighted(address,uint64,(uint8,string)[],string) returns (bool)',
])
const voteOf = (option: number, note = ''): Hex =>
  encodeFunctionData({ abi: votes, functionName: 'vote', args: [caller, 1n, option, note] })
const weighted = (options: readonly (readonly [number, string])[], note = ''): Hex =>
  encodeFunctionData({ abi: votes, functionName: 'voteWeighted', args: [caller, 1n, options, note] })

test('votes of contracts are refused in the words of messages', async (t) => {
  const world = await startCaller()
  const cancelUpgrade = { '@type': '/cosmos.upgrade.v1beta1.MsgCancelUpgrade', authority }
  t.is(failureOf(await world.send(caller, forwarded(proposal([cancelUpgrade], 1000n)))), undefined)
  const long = 'é'.repeat(128)
  for (const [data, reason] of [
    [voteOf(0), 'VOTE_OPTION_UNSPECIFIED: invalid vote option'],
    [voteOf(9), '9: invalid vote option'],
    [voteOf(1, long), 'got metadata with length 256: metadata too long'],
    [weighted([[1, '1.0']], long), 'got metadata with length 256: metadata too long'],
    [weighted([[2, '0']]), 'option:VOTE_OPTION_ABSTAIN weight:"0" : invalid vote option'],
    [weighted([]), '[]: invalid request'],
  ] as const) {
    const { status, output } = world.call(caller, forwarded(data))
    t.is(status, 'revert')
    t.true(Buffer.from(output.slice(2), 'hex').toString('utf8').includes(reason), reason)
  }
  t.is(world.call(caller, forwarded(voteOf(1, long.slice(1)))).status, 'success')
  t.is(world.call(caller, forwarded(weighted([[1, '1.0']]))).status, 'success')
})

const structType =
  'struct { Messages []json.RawMessage "json:\\"messages\\""; Metadata string "json:\\"metadata\\""; ' +
  'Title string "json:\\"title\\""; Summary string "json:\\"summary\\""; Expedited bool "json:\\"expedited\\"" }'
const send = '"@type":"/cosmos.bank.v1beta1.MsgSend"'
const nested = "message 0: can't unmarshal Any nested proto *types.MsgSend: "
const refusals = {
  null: 'proposal title cannot be empty: invalid request',
  '[]': `invalid proposal JSON: json: cannot unmarshal array into Go value of type ${structType}`,
  '{': 'invalid proposal JSON: unexpected end of JSON input',
  nul: "invalid proposal JSON: invalid character ' ' in literal null (expecting 'l')",
  '{"title":[],"messages":{}}':
    'invalid proposal JSON: json: cannot unmarshal array into Go struct field .title of type string',
  '{"messages":[null]}': "message 0: Any JSON doesn't have '@type'",
  '{"messages":[5]}': 'message 0: json: cannot unmarshal number into Go value of type map[string]*json.RawMessage',
  '{"messages":[{"@type":5}]}': `message 0: can't unmarshal Any's '@type': "5"`,
  [`{"messages":[{${send},"zz":1}]}`]: `${nested}unknown field "zz" in types.MsgSend`,
  '{"TITLE":"t","Summary":"s"}': 'either metadata or Msgs length must be non-nil: no messages proposed',
}

test('what is no proposal is refused in the words of the node', async (t) => {
  const { call } = await startCaller()
  for (const [json, why] of Object.entries(refusals)) {
    const args = [alice.address, stringToHex(json), [['atest', 1000n]]] as const
    const { output } = call(at.gov, encodeFunctionData({ abi: gov, functionName: 'submitProposal', args }))
    t.is(decodeErrorResult({ abi: parseAbi(['error Error(string)']), data: output }).args[0], why, json)
  }
})
