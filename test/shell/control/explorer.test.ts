/** What the explorer reads from the control port, without a browser. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { createWalletClient, http, parseAbi, type Abi, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { start } from '../../../src/index.ts'
import { artifactFolders } from '../../../src/shell/artifactFolders.ts'
import { createAbis } from '../../../src/shell/control/abis.ts'
import { readSignature } from '../../../src/shell/control/abiShapes.ts'
import { encodeCall } from '../../../src/shell/control/decodeCall.ts'
import { createRequestStats } from '../../../src/shell/requestStats.ts'
import { demoToken } from '../../helpers/contracts.ts'
import { api, rpc, startControlled } from '../../helpers/control.ts'
import { chainOf, freePorts } from '../../helpers/server.ts'
import { scratch } from '../../helpers/cli.ts'

const alice = mnemonicToAccount('test test test test test test test test test test test junk')
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const carol = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

test('the transactions of an address come page by page, of sender and receiver alike, and no others', async (t) => {
  await using server = await startControlled()
  const send = (to: string) => rpc(server.urls.eth, 'eth_sendTransaction', { from: alice.address, to, value: '0x1' })
  const toBob: unknown[] = []
  for (let count = 0; count < 9; count++) {
    toBob.push(await send(bob))
    await send(carol)
  }
  const pages: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await api(server, `/addresses/${bob}/transactions?limit=4${cursor}`)
    pages.push(...body.map((one: { ethHash: string }) => one.ethHash))
    if (body.length < 4) break
    cursor = `&before=${body.at(-1).number}`
  }
  t.deepEqual(pages, toBob.toReversed() as string[])
  const { cosmos } = (await api(server, `/addresses/${bob}`)).body
  t.is((await api(server, `/addresses/${cosmos}/transactions`)).body.length, 9)
  t.is((await api(server, `/addresses/${alice.address}/transactions?limit=500`)).body.length, 18)
  const refused = await api(server, '/addresses/0x12')
  t.is(refused.status, 404)
  t.regex(refused.body.error.message, /an address is 0x and 40 hex digits/)
})

test('logs page by block, of all contracts or one', async (t) => {
  await using server = await startControlled()
  const writer = createWalletClient({ chain: chainOf(server.urls.eth), transport: http(), account: alice })
  const { abi, bytecode } = demoToken() as { abi: Abi; bytecode: Hex }
  const hash = await writer.deployContract({ abi, bytecode, args: [] })
  const { contractAddress } = (await rpc(server.urls.eth, 'eth_getTransactionReceipt', hash)) as {
    contractAddress: Hex
  }
  for (let count = 0; count < 5; count++) {
    await writer.writeContract({ abi, address: contractAddress, functionName: 'transfer', args: [bob, BigInt(count)] })
  }
  const values: string[] = []
  for (let before = ''; ; ) {
    const { rows, next } = (await api(server, `/logs?address=${contractAddress}&limit=2${before}`)).body
    values.push(...rows.map((one: { decoded: { args: { value: string }[] } }) => one.decoded.args[2]?.value))
    if (next === null) break
    before = `&before=${next}`
  }
  t.deepEqual(values, ['4', '3', '2', '1', '0', String(10n ** 24n)])
  t.is((await api(server, '/logs')).body.rows.length, 6)
  t.is((await api(server, `/logs?address=${bob}`)).body.rows.length, 0)
  const { status, body } = await api(server, '/logs?address=0x12')
  t.is(status, 404)
  t.regex(body.error.message, /^there is no address 0x12: an address is/)
  const { rows } = (await api(server, '/contracts')).body
  const token = rows.find((one: { ethereum: string }) => one.ethereum.toLowerCase() === contractAddress)
  t.like(token.token, { symbol: 'DEMO', decimals: 18, totalSupply: String(10n ** 24n) })
  const [owned] = (await api(server, `/addresses/${bob}/tokens`)).body
  t.like(owned, { symbol: 'DEMO', balance: '10' })
})

test('a folder of artifacts that does not exist is warned of, as is a file', async (t) => {
  const folder = scratch()
  const [missing, file] = [join(folder, 'nowhere'), join(folder, 'file')]
  writeFileSync(file, '')
  const said: string[] = []
  const settings = { ...freePorts, controlAddress: '127.0.0.1:0', artifacts: [folder, missing, file] }
  const server = await start({ settings, log: (level, text) => said.push(`${level} ${text}`) })
  await server.close()
  t.deepEqual(
    said.filter((text) => text.includes('--artifacts')),
    [
      `warn --artifacts: there is no folder ${missing}; contracts are decoded as soon as it exists`,
      `warn --artifacts: expected a folder, received a file: ${file}`,
    ],
  )
})

test('ABIs in folders of a compiler are read, read again when they change, and gone with their file', (t) => {
  const folder = scratch()
  let nowMs = 0
  const abis = createAbis(artifactFolders([join(folder, 'out')], () => nowMs))
  t.deepEqual(abis.known().contracts, [])
  mkdirSync(join(folder, 'out/Shop.sol'), { recursive: true })
  const path = join(folder, 'out/Shop.sol/Shop.json')
  writeFileSync(path, JSON.stringify({ abi: parseAbi(['function buy(string what)', 'error Closed(uint256 until)']) }))
  writeFileSync(join(folder, 'out/Shop.sol/Shop.dbg.json'), '{ "abi": [] }')
  t.deepEqual(abis.known().contracts, [], 'not before five seconds have passed')
  nowMs += 5000
  t.deepEqual(
    abis.known().contracts.map(({ name }) => name),
    ['Shop'],
  )
  t.is(abis.known().errors.size, 1)
  t.is(abis.known(), abis.known())
  rmSync(path)
  nowMs += 5000
  t.deepEqual(abis.known().contracts, [])
})

test('what cannot be read in a folder of a compiler hides no ABI beside it', (t) => {
  const out = scratch()
  writeFileSync(join(out, 'Shop.json'), JSON.stringify({ abi: parseAbi(['function buy(string what)']) }))
  mkdirSync(join(out, 'Folder.json'))
  symlinkSync(join(out, 'nothing'), join(out, 'Link.json'))
  const { contracts } = createAbis(artifactFolders([out], () => 0)).known()
  t.deepEqual(
    contracts.map(({ name }) => name),
    ['Shop'],
  )
})

const refuses = test.macro((t, line: string, given: unknown, message: RegExp) => {
  t.throws(() => encodeCall(readSignature(line), [given]), { message })
})
test('an argument that is no number is refused', refuses, 'f(uint8 x)', 'seven', /x \(uint8\): expected a whole number/)
test('a number that is too large is refused', refuses, 'f(uint8 x)', '256', /expected a number of uint8/)
test('an address that is too short is refused', refuses, 'f(address to)', '0x12', /expected an address/)
test('bytes of another length are refused', refuses, 'f(bytes4 x)', '0x12', /expected 0x-prefixed hex/)
test('a truth value that is none is refused', refuses, 'f(bool x)', 'yes', /expected true or false/)
test('a list that is none is refused', refuses, 'f(uint8[] x)', '7', /expected a list/)
test('a number of JSON that is not exact is refused', refuses, 'f(uint8 x)', 2 ** 60, /expected a text/)
test('numbers in lists are exact', (t) => {
  const shape = readSignature('f(uint256[] x)')
  const exact = encodeCall(shape, ['[9007199254740993, 1000000000000000000001]'])
  t.deepEqual(exact, encodeCall(shape, [['9007199254740993', '1000000000000000000001']]))
})
test('a list of another length is refused', refuses, 'f(uint8[2] x)', '[7]', /x \(uint8\[2\]\): expected 2 values/)
test('a type that only libraries have is refused', refuses, 'f(Lib.Data x)', '[]', /x: expected an ABI type/)

test('statistics of requests tell methods apart up to a limit, and forget seconds that are over', (t) => {
  let nowMs = 1_000_000
  const stats = createRequestStats(() => nowMs)
  const answered = (method: string, tookMs: number, isError = false) =>
    stats.answered({
      side: 'eth',
      request: JSON.stringify({ method }),
      answer: isError ? '{"jsonrpc":"2.0","id":1,"error":{"code":1}}' : '{"result":1}',
      status: 200,
      tookMs,
    })
  for (let took = 1; took <= 100; took++) answered('eth_call', took, took > 90)
  t.like(stats.view().methods[0], { method: 'eth_call', count: 100, errors: 10, p50Ms: 51, p95Ms: 96, p99Ms: 100 })
  t.like(stats.view().seconds.at(-1), { count: 100, errors: 10, slowestMs: 100 })
  for (let count = 0; count < 1000; count++) answered(`x_${count}`, 1)
  t.is(stats.view().methods.length, 201)
  t.is(stats.view().methods.find(({ method }) => method === '(others)')?.count, 801)
  nowMs += 200_000
  t.is(
    stats.view().seconds.reduce((sum, { count }) => sum + count, 0),
    0,
  )
})
