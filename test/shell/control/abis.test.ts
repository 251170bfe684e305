/** Logs named by ABIs: those that a user gives, and those of the scenario's compiled contracts. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { encodeAbiParameters, encodeEventTopics, getAddress, parseAbi, type Hex } from 'viem'
import { bytesOfHex } from '../../../src/codec/hex.ts'
import { start } from '../../../src/index.ts'
import { createAbis } from '../../../src/shell/control/abis.ts'
import { decodeLog } from '../../../src/shell/control/decodeLog.ts'
import { api, rpc, startControlled } from '../../helpers/control.ts'
import { scratch } from '../../helpers/cli.ts'

const who = getAddress(`0x${'ab'.repeat(20)}`)
const abi = parseAbi([
  'event Moved(address indexed who, string what, uint256[] amounts, (int8 x, bool y) place, bytes20 tag)',
  'event Named(string indexed name, bytes4 indexed kind)',
  'event Transfer(address indexed from, address indexed to, uint256 wad)',
])

type Entry = Extract<(typeof abi)[number], { type: 'event' }>

/** A log as viem encodes it, which is not our code. */
function logOf(name: Entry['name'], args: Record<string, unknown>) {
  const found = abi.find((one) => one.name === name) as Entry
  const topics = encodeEventTopics({ abi, eventName: name, args } as never) as Hex[]
  const plain = found.inputs.filter((one) => !('indexed' in one))
  const data = encodeAbiParameters(plain as never, plain.map((one) => args[one.name]) as never)
  return {
    address: bytesOfHex(who),
    topics: topics.map((one) => bytesOfHex(one)),
    data: bytesOfHex(data),
    index: 0,
  }
}

test('texts, lists and tuples are read as the ABI says; what an index hides is its hash', (t) => {
  const abis = createAbis(() => new Map())
  t.deepEqual(abis.add(abi as never).events, [
    'Moved(address,string,uint256[],(int8,bool),bytes20)',
    'Named(string,bytes4)',
    'Transfer(address,address,uint256)',
  ])
  const moved = logOf('Moved', {
    who,
    what: 'a chair',
    amounts: [1n, 2n ** 200n],
    place: { x: -3, y: true },
    tag: `0x${'11'.repeat(20)}`,
  })
  t.deepEqual(decodeLog(moved, abis.known().events), {
    event: 'Moved',
    args: [
      { name: 'who', type: 'address', value: who },
      { name: 'what', type: 'string', value: 'a chair' },
      { name: 'amounts', type: 'uint256[]', value: `[1, ${2n ** 200n}]` },
      { name: 'place', type: '(int8,bool)', value: '[-3, true]' },
      { name: 'tag', type: 'bytes20', value: getAddress(`0x${'11'.repeat(20)}`) },
    ],
  })
  const named = logOf('Named', { name: 'x', kind: '0x12345678' })
  t.deepEqual(
    decodeLog(named, abis.known().events)?.args.map(({ value }) => value),
    [`0x${Buffer.from(named.topics[1] ?? []).toString('hex')}`, '0x12345678'],
  )
  t.is(decodeLog(named, new Map()), undefined)
  t.is(decodeLog({ ...moved, data: moved.data.slice(0, 40) }, abis.known().events), undefined)
})

test('an ABI that is added again is kept once, and the oldest are forgotten beyond 16 Mi characters', (t) => {
  const abis = createAbis(() => new Map())
  const add = (contractName: string) =>
    abis.add({ contractName, abi: [{ ...abi[0], outputs: [], stateMutability: '', anonymous: false }] } as never)
  for (const name of ['a', 'b', 'a']) add(name)
  const names = () => abis.known().contracts.map(({ name }) => name[0])
  t.deepEqual(names(), ['b', 'a'])
  for (const name of 'cdefg') add(name.repeat(4 * 2 ** 20 - 1000))
  t.deepEqual(names(), ['d', 'e', 'f', 'g'])
})

test('an ABI that is given names logs, over the usual names', async (t) => {
  await using server = await startControlled()
  const emitter = '0x000000000000000000000000000000000000c0de'
  const { topics, data } = logOf('Transfer', { from: who, to: who, wad: 7n })
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
  // MSTORE of the data, then LOG3 of the topics.
  const code = `7f${hex(data)}5f52${[...topics]
    .reverse()
    .map((topic) => `7f${hex(topic)}`)
    .join('')}60205fa3`
  await rpc(server.urls.eth, 'anvil_setCode', emitter, `0x${code}`)
  const hash = await rpc(server.urls.eth, 'eth_sendTransaction', {
    from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
    to: emitter,
    gas: '0x186a0',
  })
  const names = async () =>
    (await api(server, `/transactions/${String(hash)}`)).body.decodedLogs[0].decoded.args.map(
      ({ name }: { name: string }) => name,
    ) as string[]
  t.deepEqual(await names(), ['from', 'to', 'value'])
  t.deepEqual((await api(server, '/abis')).body.events, [])
  t.is((await api(server, '/abis', { abi: { bytecode: '0x', abi } })).body.events.length, 3)
  t.deepEqual(await names(), ['from', 'to', 'wad'])
  t.is((await api(server, '/abis', { abi: [{ type: 'constructor', inputs: [] }] })).status, 400)
  t.regex((await api(server, '/abis', { abi: 'x' })).body.error.message, /expected an ABI/)
})

test('compiled contracts of the scenario name logs from the start', async (t) => {
  const folder = scratch()
  writeFileSync(join(folder, 'Thing.json'), JSON.stringify({ abi, bytecode: '0x60015f5360015ff3' }))
  writeFileSync(
    join(folder, 's.json5'),
    `{
    chainstage: 1, name: 's', chain: { profile: 'local' },
    fixtures: { contracts: { thing: { artifact: './Thing.json' } } },
  }`,
  )
  await using server = await start({ scenario: join(folder, 's.json5'), ports: 'free' })
  t.true((await api(server, '/abis')).body.events.includes('Named(string,bytes4)'))
})

test('a reorganisation by the control API is of one side or both, and no deeper than the chain', async (t) => {
  await using server = await startControlled()
  await api(server, '/mine', { blocks: 3 })
  const block = async () => [
    ((await rpc(server.urls.eth, 'eth_getBlockByNumber', 'latest', false)) as { hash: string }).hash,
    server.simulation().node.chain.lastBlockId.hash,
  ]
  const before = await block()
  t.like((await api(server, '/reorg', { depth: 2, view: 'evm' })).body, { depth: 2, view: 'evm', height: 4 })
  const evm = await block()
  t.not(evm[0], before[0])
  t.deepEqual(evm[1], before[1])
  t.like((await api(server, '/reorg', { depth: 2 })).body, { view: 'chain', height: 4 })
  t.notDeepEqual((await block())[1], before[1])
  const refused = await api(server, '/reorg', { depth: 9 })
  t.is(refused.status, 400)
  t.regex(refused.body.error.message, /a depth of at most 3 blocks, received 9/)
})
