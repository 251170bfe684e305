/** Hardhat as a person runs it: a project of one token, deployed to the node and tested on it. */
import test from 'ava'
import { hardhatConfig, hardhatProject, runHardhat } from '../helpers/hardhat.ts'
import { startLocal } from '../helpers/server.ts'

const files = {
  'package.json': '{ "name": "demo", "private": true }',
  'contracts/Demo.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract Demo is ERC20 {
  uint256[] blocks;
  constructor() ERC20("Demo", "DEMO") { _mint(msg.sender, 1_000_000 ether); }
  function noteOddBlock() external { if (block.number % 2 == 1) blocks.push(block.number); }
  function refuse() external pure { revert(); }
}
`,
  'scripts/deploy.js': `
const { ethers, network } = require('hardhat')
async function main() {
  const token = await ethers.deployContract('Demo')
  await token.waitForDeployment()
  console.log('deployed to', await token.getAddress(), 'of', network.name)
}
main().catch((error) => { console.error(error); process.exitCode = 1 })
`,
  'test/demo.js': `
const assert = require('node:assert/strict')
const { ethers, network } = require('hardhat')

describe('Demo', () => {
  let token, owner, other, before

  beforeEach(async () => {
    before = await network.provider.send('evm_snapshot', []);
    [owner, other] = await ethers.getSigners()
    token = await ethers.deployContract('Demo')
  })
  afterEach(async () => { await network.provider.send('evm_revert', [before]) })

  it('belongs to whoever deployed it', async () => {
    assert.equal(await token.balanceOf(owner), ethers.parseEther('1000000'))
  })
  it('is given on, with an event', async () => {
    const receipt = await (await token.transfer(other, 7n)).wait()
    assert.deepEqual([...receipt.logs[0].args], [owner.address, other.address, 7n])
    assert.equal(await token.balanceOf(other), 7n)
    assert.equal((await token.queryFilter('Transfer', receipt.blockNumber)).length, 1)
  })
  it('is refused to who has none of it', async () => {
    await assert.rejects(token.connect(other).transfer(owner, 1n), ({ message, data }) => (
      message === 'execution reverted'
        && token.interface.parseError(data).name === 'ERC20InsufficientBalance'
    ))
  })
  it('is estimated, and time passes', async () => {
    assert.ok(await token.transfer.estimateGas(other, 1n) > 21000n)
    const { timestamp } = await ethers.provider.getBlock('latest')
    await network.provider.send('evm_increaseTime', [3600])
    await network.provider.send('evm_mine', [])
    assert.ok((await ethers.provider.getBlock('latest')).timestamp >= timestamp + 3600)
  })
  it('another account is impersonated', async () => {
    const whale = '0x1111111111111111111111111111111111111111'
    await network.provider.send('hardhat_setBalance', [whale, '0xde0b6b3a7640000'])
    const signer = await ethers.getImpersonatedSigner(whale)
    const receipt = await (await signer.sendTransaction({ to: other, value: 1n })).wait()
    assert.equal(receipt.from, whale)
  })
  it('is paid for at any base fee by what Hardhat offers', async () => {
    for (const baseFee of [9, 8, 5, 4, 3, 2, 1]) {
      await network.provider.send('hardhat_setNextBlockBaseFeePerGas', ['0x' + baseFee])
      await network.provider.send('evm_mine', [])
      assert.equal((await (await token.transfer(other, 1n)).wait()).status, 1)
    }
  })
  it('runs with exactly the gas of its estimate in blocks of odd and even number', async () => {
    for (let count = 0; count < 4; count++) {
      assert.equal((await (await token.noteOddBlock()).wait()).status, 1)
    }
  })
  it('is refused without a reason', async () => {
    const isBare = ({ code, data }) => code === 3 && data === '0x'
    const asked = { to: await token.getAddress(), data: token.interface.encodeFunctionData('refuse') }
    await assert.rejects(network.provider.send('eth_call', [asked, 'latest']), isBare)
    await assert.rejects(network.provider.send('eth_estimateGas', [asked]), isBare)
  })
  it('a send that fails with the gas it was given rejects in the dialect of Hardhat', async () => {
    const provider = new ethers.JsonRpcProvider(network.config.url + '/hardhat')
    const data = token.interface.encodeFunctionData('transfer', [owner.address, 1n])
    const call = { from: other.address, to: await token.getAddress(), data, gas: '0x186a0' }
    const isNamed = ({ error }) => token.interface.parseError(error.data).name === 'ERC20InsufficientBalance'
    await assert.rejects(provider.send('eth_sendTransaction', [call]), isNamed)
    const bare = { ...call, data: token.interface.encodeFunctionData('refuse') }
    await assert.rejects(provider.send('eth_sendTransaction', [bare]), ({ error }) => error.data === '0x')
    provider.destroy()
  })
  it('typed data is signed', async () => {
    const domain = { name: 'Demo', chainId: 31337, verifyingContract: await token.getAddress() }
    const types = { Order: [{ name: 'to', type: 'address' }, { name: 'amount', type: 'uint256' }] }
    const order = { to: other.address, amount: 7n }
    const signature = await owner.signTypedData(domain, types, order)
    assert.equal(ethers.verifyTypedData(domain, types, order, signature), owner.address)
  })
})
`,
} as const

test('Hardhat compiles, deploys and tests a project on the node', async (t) => {
  await using server = await startLocal()
  const folder = hardhatProject({
    ...files,
    'hardhat.config.js': hardhatConfig('@nomicfoundation/hardhat-ethers', 'chainstage', server.urls.eth),
  })
  const deployed = await runHardhat(folder, ['run', 'scripts/deploy.js'])
  t.is(deployed.code, 0, deployed.out)
  t.regex(deployed.out, /deployed to 0x5FbDB2315678afecb367f032d93F642f64180aa3 of chainstage/)
  const tested = await runHardhat(folder, ['test', '--no-compile'])
  t.is(tested.code, 0, tested.out)
  t.regex(tested.out, /10 passing/)
})
