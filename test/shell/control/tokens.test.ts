/** Tokens as the control port shows them: contracts of three standards, and Cosmos denoms. */
import anyTest, { type TestFn } from 'ava'
import { createWalletClient, http, type Abi, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import type { Server } from '../../../src/index.ts'
import { compileSolidity } from '../../helpers/contracts.ts'
import { api, rpc, startControlled } from '../../helpers/control.ts'
import { chainOf } from '../../helpers/server.ts'

const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
contract Coin is ERC20 { constructor() ERC20("Demo Coin", "DEMO") { _mint(msg.sender, 1000); } }
contract Deeds is ERC721 {
  constructor() ERC721("Deeds", "DEED") {}
  function give(address to, uint256 id) external { _mint(to, id); }
}
contract Goods is ERC1155 {
  constructor() ERC1155("") {}
  function give(address to, uint256[] calldata ids, uint256[] calldata values) external { _mintBatch(to, ids, values, ""); }
}
contract Named is ERC20 { constructor(string memory name, string memory symbol) ERC20(name, symbol) {} }`

const mnemonic = 'test test test test test test test test test test test junk'
const alice = mnemonicToAccount(mnemonic)
const person = (index: number) => mnemonicToAccount(mnemonic, { addressIndex: index }).address

type Name = 'Coin' | 'Deeds' | 'Goods' | 'Named'
type Stage = {
  readonly server: Server
  readonly at: Readonly<Record<Name, Hex>>
  readonly call: (name: Name, functionName: string, args: readonly unknown[]) => Promise<Hex>
}
const test = anyTest as TestFn<Stage>

test.before(async (t) => {
  const server = await startControlled({ profile: 'local' })
  const { eth } = server.urls
  const compiled = compileSolidity(source) as Record<Name, { abi: Abi; bytecode: Hex }>
  const writer = createWalletClient({ chain: chainOf(eth), transport: http(), account: alice })
  const deploy = async (name: Name, args: readonly unknown[] = []) => {
    const hash = await writer.deployContract({ abi: compiled[name].abi, bytecode: compiled[name].bytecode, args })
    return ((await rpc(eth, 'eth_getTransactionReceipt', hash)) as { contractAddress: Hex }).contractAddress
  }
  const at = {
    Coin: await deploy('Coin'),
    Deeds: await deploy('Deeds'),
    Goods: await deploy('Goods'),
    Named: await deploy('Named', ['🪑'.repeat(1000), '\t']),
  }
  const call: Stage['call'] = (name, functionName, args) =>
    writer.writeContract({ abi: compiled[name].abi, address: at[name], functionName, args })
  for (let index = 1; index <= 5; index++) await call('Coin', 'transfer', [person(index), BigInt(index * 10)])
  await call('Deeds', 'give', [person(1), 7n])
  await call('Deeds', 'give', [person(1), 8n])
  await call('Deeds', 'give', [person(2), 9n])
  await call('Goods', 'give', [person(1), [1n, 2n], [50n, 6n]])
  t.context = { server, at, call }
})
test.after.always((t) => t.context.server.close())

test('tokens are listed with the standard of their code', async (t) => {
  const { server, at } = t.context
  const { rows } = (await api(server, '/tokens')).body as { rows: { address: string; kind: string; symbol: string }[] }
  const kinds = Object.fromEntries(
    rows.map(({ address, kind, symbol }) => [address.toLowerCase(), `${kind} ${symbol}`]),
  )
  t.is(kinds[at.Coin.toLowerCase()], 'ERC-20 DEMO')
  t.is(kinds[at.Deeds.toLowerCase()], 'ERC-721 DEED')
  t.is(kinds[at.Goods.toLowerCase()], 'ERC-1155 ?')
  const pages: string[] = []
  for (let after = ''; ; ) {
    const { body } = await api(server, `/tokens?limit=1${after}`)
    pages.push(...body.rows.map((one: { address: string }) => one.address))
    if (body.next === null) break
    after = `&after=${body.next}`
  }
  t.deepEqual(
    pages,
    rows.map(({ address }) => address),
  )
})

test('a name is cut off after 100 characters, and one that nobody can see is a question mark', async (t) => {
  const { server, at } = t.context
  const { name, symbol } = (await api(server, `/tokens/${at.Named}`)).body
  t.is(name, `${'🪑'.repeat(100)}…`)
  t.is(symbol, '?')
})

test('the holders of a contract are those of its transfers, largest first', async (t) => {
  const { server, at } = t.context
  const { body } = await api(server, `/tokens/${at.Coin}/holders`)
  t.is(body.total, 6)
  t.deepEqual(
    body.rows.map((one: { amount: string }) => one.amount),
    ['850', '50', '40', '30', '20', '10'],
  )
  t.is((await api(server, `/tokens/${at.Coin}/holders?from=4&limit=1`)).body.rows[0].address, person(2))
  t.deepEqual((await api(server, `/tokens/${at.Deeds}/holders`)).body.rows, [
    { address: person(1), amount: '2' },
    { address: person(2), amount: '1' },
  ])
  t.deepEqual((await api(server, `/tokens/${at.Goods}/holders`)).body.rows, [{ address: person(1), amount: '56' }])
})

test.serial('holders follow new transfers, and a restored checkpoint', async (t) => {
  const { server, at, call } = t.context
  const { id } = (await api(server, '/checkpoint', {})).body
  const largest = async () => (await api(server, `/tokens/${at.Coin}/holders?limit=1`)).body.rows[0]
  t.is((await largest()).amount, '850')
  await call('Coin', 'transfer', [person(6), 800n])
  t.deepEqual(await largest(), { address: person(6), amount: '800' })
  await api(server, '/restore', { id })
  t.is((await largest()).amount, '850')
})

test('transfers page from the newest to the first and back, with the ids of ERC-721 and ERC-1155', async (t) => {
  const { server, at } = t.context
  const path = `/tokens/${at.Coin}/transfers?limit=2`
  const values: string[] = []
  for (let before = ''; ; ) {
    const { body } = await api(server, `${path}${before}`)
    values.push(...body.rows.map((one: { value: string }) => one.value))
    if (body.next === null) break
    before = `&before=${body.next}`
  }
  t.deepEqual(values, ['50', '40', '30', '20', '10', '1000'])
  const back: string[] = []
  for (let from = 0; ; ) {
    const { body } = await api(server, `${path}&from=${from}`)
    back.push(...body.rows.toReversed().map((one: { value: string }) => one.value))
    if (body.newer === null) break
    from = body.newer
  }
  t.deepEqual(back, values.toReversed())
  const ids = async (name: Name) =>
    (await api(server, `/tokens/${at[name]}/transfers`)).body.rows.map((one: { id: string; value: string }) => [
      one.id,
      one.value,
    ])
  t.deepEqual(await ids('Deeds'), [
    ['9', '1'],
    ['8', '1'],
    ['7', '1'],
  ])
  t.deepEqual(await ids('Goods'), [
    ['2', '6'],
    ['1', '50'],
  ])
})

test('a denom has its supply, its pair, holders and transfers', async (t) => {
  const { server } = t.context
  const token = (await api(server, '/tokens/atest')).body
  t.like(token, { kind: 'denom', symbol: 'TEST', decimals: 18, address: null })
  const [{ erc20_address: erc20 }] = (
    (await (await fetch(`${server.urls.rest}/cosmos/evm/erc20/v1/token_pairs`)).json()) as {
      token_pairs: [{ erc20_address: string }]
    }
  ).token_pairs
  t.is(token.pair.erc20, erc20)
  t.is((await api(server, `/tokens/${erc20}`)).body.denom, 'atest')
  const { total, rows } = (await api(server, '/tokens/atest/holders?limit=3')).body
  t.is(rows.length, 3)
  t.is((await api(server, `/tokens/atest/holders?from=${total - 1}&limit=3`)).body.rows.length, 1)
  const seen: number[] = []
  for (let before = ''; ; ) {
    const { body } = await api(server, `/tokens/atest/transfers?limit=4${before}`)
    seen.push(...body.rows.map((one: { height: number }) => one.height))
    if (body.next === null) break
    before = `&before=${body.next}`
  }
  const first = (await api(server, '/tokens/atest/transfers?from=0&limit=1')).body
  t.is(first.next, null)
  t.is(first.rows.at(-1).height, seen.at(-1))
})

test('a token that does not exist is refused', async (t) => {
  const { server } = t.context
  const { status, body } = await api(server, `/tokens/${person(1)}`)
  t.is(status, 404)
  t.regex(body.error.message, /there is no token 0x/)
  t.is((await api(server, '/tokens/unobtainium')).status, 404)
})
