/**
 * A request for each route of the REST API and for each gRPC method, and what it comes to on a chain of
 * the profile `local` that was just started.
 */
import type { HttpBinding, MethodDescriptor } from '../../src/codec/schema/descriptor.ts'
import { listServices, messageDescriptor } from '../../src/codec/schema/lookup.ts'
import { methodName } from '../../src/rpc/cosmos/table.ts'
import { allRoutes } from '../../src/rpc/rest/routes.ts'

/**
 * `request` is the message in JSON. `body` of the route is empty unless the message is the body. `refused`
 * tells why the request does not succeed, with the status of HTTP.
 */
export type CosmosExample = {
  readonly method: string
  readonly fields: readonly string[]
  readonly route: (HttpBinding & { readonly target: string }) | undefined
  readonly request: Readonly<Record<string, unknown>>
  readonly refused: Refusal | undefined
}

export type Refusal = { readonly status: number; readonly why: string }

/** The first two accounts. */
const account = 'cosmos17w0adeg64ky0daxwd2ugyuneellmjgnxramjtq'
const otherAccount = 'cosmos1wzvhjux9rqfdcwspp37srdgwp5tac7wgtkldlx'
const accountInHex = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
/** The validator, its consensus key, and who delegated its stake. */
const validator = 'cosmosvaloper1surgd4pxl8h8f48kzzfpu72s9sfynk269cmmhz'
const consensus = 'cosmosvalcons1ds8txjms5gkpp3zf7fp7zy7lcxeqp2583f6vq2'
const delegator = 'cosmos1surgd4pxl8h8f48kzzfpu72s9sfynk26qv0wm3'
const noHash = '0'.repeat(64)

/** The values of fields by their names. */
const values: Readonly<Record<string, string>> = {
  account_id: '2',
  address: account,
  address_bytes: Buffer.alloc(20, 7).toString('base64'),
  address_string: account,
  args: Buffer.from(JSON.stringify({ to: accountInHex, data: '0x' })).toString('base64'),
  channel_id: 'channel-0',
  client_id: '09-localhost',
  connection: 'connection-localhost',
  connection_id: 'connection-localhost',
  cons_address: consensus,
  delegator_addr: delegator,
  delegator_address: delegator,
  denom: 'atest',
  depositor: account,
  gas_cap: '25000000',
  grantee: otherAccount,
  granter: account,
  hash: noHash,
  height: '1',
  id: '0',
  key: `0x${noHash}`,
  last_height: '1',
  name: 'gov',
  packet_ack_sequences: '1',
  packet_commitment_sequences: '1',
  params_type: 'voting',
  port_id: 'transfer',
  proposal_id: '1',
  revision_height: '1',
  revision_number: '1',
  sequence: '1',
  sequences: '1',
  token: 'atest',
  trace: 'transfer/channel-0/atest',
  validator_addr: validator,
  validator_address: validator,
  voter: account,
}

/** A transfer of 1 atest from the first account to the second, without a signature. */
const txBytes =
  'Co0BCooBChwvY29zbW9zLmJhbmsudjFiZXRhMS5Nc2dTZW5kEmoKLWNvc21vczE3dzBhZGVnNjRreTBkYXh3ZDJ1Z3l1bmVlbGxtamdueHJhbWp0cRIt' +
  'Y29zbW9zMXd6dmhqdXg5cnFmZGN3c3BwMzdzcmRnd3A1dGFjN3dndGtsZGx4GgoKBWF0ZXN0EgExEg4KBhIECgIIARIEEMCaDBoA'
/** A transaction without messages, in three forms. */
const tx = { body: { memo: 'hello' }, auth_info: { fee: {} } }
const aminoTx = { msg: [], fee: { amount: [], gas: '0' }, signatures: null, memo: 'hello', timeout_height: '0' }
const aminoBytes = 'KCgWqRIAIgVoZWxsbw=='

const inHex = { address: accountInHex }

/** Whole requests where a field's usual value is of no use, by method. */
const requests: Readonly<Record<string, CosmosExample['request']>> = {
  'cosmos.base.tendermint.v1beta1.Service/ABCIQuery': { path: '/store/bank/key', data: 'AGF0ZXN0' },
  'cosmos.base.reflection.v1beta1.ReflectionService/ListImplementations': {
    interface_name: 'cosmos.auth.v1beta1.AccountI',
  },
  'cosmos.evm.vm.v1.Query/Account': inHex,
  'cosmos.evm.vm.v1.Query/Balance': inHex,
  'cosmos.evm.vm.v1.Query/Code': inHex,
  'cosmos.evm.vm.v1.Query/CosmosAccount': inHex,
  'cosmos.evm.vm.v1.Query/Storage': { ...inHex, key: values['key'] },
  'cosmos.gov.v1.Query/Proposals': {},
  'cosmos.gov.v1beta1.Query/Proposals': {},
  'cosmos.tx.v1beta1.Service/BroadcastTx': { tx_bytes: txBytes, mode: 'BROADCAST_MODE_SYNC' },
  'cosmos.tx.v1beta1.Service/GetTxsEvent': { query: 'tx.height=1' },
  'cosmos.tx.v1beta1.Service/Simulate': { tx_bytes: txBytes },
  'cosmos.tx.v1beta1.Service/TxDecode': { tx_bytes: txBytes },
  'cosmos.tx.v1beta1.Service/TxDecodeAmino': { amino_binary: aminoBytes },
  'cosmos.tx.v1beta1.Service/TxEncode': { tx },
  'cosmos.tx.v1beta1.Service/TxEncodeAmino': {
    amino_json: JSON.stringify({ type: 'cosmos-sdk/StdTx', value: aminoTx }),
  },
}

/** What a new chain has nothing of. */
const refusals: readonly (Refusal & { readonly methods: RegExp })[] = [
  { status: 404, why: 'no evidence', methods: /^cosmos\.evidence\..*\/Evidence$/ },
  { status: 500, why: 'no grant', methods: /^cosmos\.feegrant\..*\/Allowance$/ },
  { status: 404, why: 'no proposal', methods: /^cosmos\.gov\..*\/(?:Proposal|Deposit|TallyResult)$/ },
  { status: 400, why: 'no proposal', methods: /^cosmos\.gov\..*\/Vote$/ },
  { status: 404, why: 'nothing unbonds', methods: /^cosmos\.staking\..*\/UnbondingDelegation$/ },
  { status: 404, why: 'no transaction', methods: /^cosmos\.tx\..*\/GetTx$/ },
  { status: 400, why: 'no transaction', methods: /^cosmos\.evm\.vm\..*\/TraceTx$/ },
  { status: 404, why: 'no denomination of another chain', methods: /^ibc\..*\/(?:Denom|DenomHash)$/ },
  { status: 404, why: 'no channel', methods: /^ibc\..*\/EscrowAddress$/ },
  { status: 404, why: 'no channel', methods: /^ibc\.core\.channel\.v1\..*\/(?!Channels$|ConnectionChannels$)/ },
  {
    status: 404,
    why: 'no packet',
    methods: /^ibc\.core\.channel\.v2\..*\/(?:NextSequenceSend|PacketCommitment|PacketAcknowledgement)$/,
  },
  {
    status: 404,
    why: 'no light client',
    methods: /^ibc\..*\/(?:ClientState|ConsensusState|CounterpartyInfo|ClientConnections|Connection\w+State)$/,
  },
  { status: 404, why: 'no upgrade', methods: /^ibc\..*\/Upgraded\w+$/ },
  { status: 400, why: 'no light client', methods: /^ibc\..*\/VerifyMembership$/ },
]

/** Any address is refused as base64 by the route of `AddressBytesToString`, which matches first, as on the node. */
export const unreachable = 'cosmos.auth.v1beta1.Query/AddressStringToBytes'

export type CosmosService = { readonly name: string; readonly examples: readonly CosmosExample[] }

/** Returns the examples by service, without methods that stream. No method has several routes. */
export function cosmosServices(): readonly CosmosService[] {
  return listServices().flatMap((service) => {
    const unary = service.methods.filter(({ isClientStreaming }) => !isClientStreaming)
    const examples = unary.map((method) => exampleOf(methodName(service, method), method))
    return examples.length === 0 ? [] : [{ name: service.name, examples }]
  })
}

function exampleOf(name: string, method: MethodDescriptor): CosmosExample {
  const request = requests[name] ?? requestOf(method)
  const route = allRoutes().find((one) => one.method === method && name !== unreachable)
  return {
    method: method.name,
    fields: messageDescriptor(method.input).fields.map((field) => field.name),
    route: route && { ...route, target: route.body === '' ? targetOf(route.path, request) : route.path },
    request,
    refused: refusals.find(({ methods }) => methods.test(name)),
  }
}

function requestOf({ input }: MethodDescriptor): CosmosExample['request'] {
  const known = messageDescriptor(input).fields.filter(({ name }) => name in values)
  return Object.fromEntries(known.map(({ name, isList }) => [name, isList ? [values[name]] : values[name]]))
}

/** Returns the path with the fields that it names, and the others as a query. */
function targetOf(path: string, request: CosmosExample['request']): string {
  const rest = new Map(Object.entries(request))
  const filled = path.replace(/\{([^=}]+)[^}]*\}/g, (_, name: string) => {
    const value = rest.get(name) ?? values[name]
    rest.delete(name)
    return String(value)
  })
  const query = [...rest].map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}
