/** Proxies show the functions of the contract whose code they run. */
import test from 'ava'
import { createWalletClient, encodeFunctionData, http, publicActions, type Abi, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { compileSolidity, type Contract } from '../../helpers/contracts.ts'
import { api, rpc, startControlled } from '../../helpers/control.ts'
import { chainOf } from '../../helpers/server.ts'

const compiled = compileSolidity(`// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import "@openzeppelin/contracts/proxy/beacon/BeaconProxy.sol";
import "@openzeppelin/contracts/proxy/beacon/UpgradeableBeacon.sol";
import "@openzeppelin/contracts/proxy/Clones.sol";
contract Box {
  event Kept(uint256 value);
  uint256 private value;
  function keep(uint256 next) external { value = next; emit Kept(next); }
  function kept() external view returns (uint256) { return value; }
}
contract Direct is ERC1967Proxy { constructor(address to) ERC1967Proxy(to, abi.encodeCall(Box.keep, (1))) {} }
contract Beacon is UpgradeableBeacon { constructor(address to) UpgradeableBeacon(to, msg.sender) {} }
contract Lit is BeaconProxy { constructor(address beacon) BeaconProxy(beacon, abi.encodeCall(Box.keep, (1))) {} }
contract Copier { address public copy; constructor(address box) { copy = Clones.clone(box); } }
`)
const contract = (name: string) => compiled[name] as Contract & { readonly abi: Abi }
const account = mnemonicToAccount('test test test test test test test test test test test junk')

test('proxies of four standards have the functions of their implementation, which can be called', async (t) => {
  await using server = await startControlled()
  const client = createWalletClient({ account, chain: chainOf(server.urls.eth), transport: http() }).extend(
    publicActions,
  )
  const deployed = async (name: string, ...args: readonly unknown[]) => {
    const hash = await client.deployContract({ ...contract(name), args })
    return (await client.getTransactionReceipt({ hash })).contractAddress as Hex
  }
  const box = await deployed('Box')
  await api(server, '/abis', { abi: { contractName: 'Box', abi: contract('Box').abi } })
  const copier = await deployed('Copier', box)
  const copy = await client.readContract({ address: copier, abi: contract('Copier').abi, functionName: 'copy' })
  const delegated = '0x00000000000000000000000000000000000d7702'
  await rpc(server.urls.eth, 'anvil_setCode', delegated, `0xef0100${box.slice(2)}`)
  const proxies = [
    await deployed('Direct', box),
    await deployed('Lit', await deployed('Beacon', box)),
    copy as Hex,
    delegated,
  ]
  for (const [index, address] of proxies.entries()) {
    const view = (await api(server, `/addresses/${address}`)).body
    t.is(String(view.implementation).toLowerCase(), box)
    t.deepEqual(view.contract.name, 'Box')
    const signatures = view.contract.functions.map((one: { signature: string }) => one.signature)
    t.deepEqual([signatures, view.contract.events], [['keep(uint256)', 'kept()'], ['Kept(uint256)']])
    const from = account.address
    await api(server, '/contracts/write', { address, signature: 'keep(uint256)', args: [String(index + 7)], from })
    const read = await api(server, '/contracts/read', { address, signature: 'kept()', args: [] })
    t.is(read.body.values[0].value, String(index + 7))
  }
  for (const address of [box, copier, account.address]) {
    t.is((await api(server, `/addresses/${address}`)).body.implementation, null)
  }
  const data = encodeFunctionData({ abi: contract('Box').abi, functionName: 'kept' })
  t.is(BigInt(String(await rpc(server.urls.eth, 'eth_call', { to: box, data }, 'latest'))), 0n)
})
