/**
 * Hardhat's matchers for chai on the network `localhost`, for which hardhat-ethers sends with a fixed
 * gas limit: without an estimate, a send itself must tell why its transaction failed.
 */
import test from 'ava'
import { hardhatConfig, hardhatProject, runHardhat } from '../helpers/hardhat.ts'
import { startLocal } from '../helpers/server.ts'

const files = {
  'package.json': '{ "name": "demo", "private": true }',
  'contracts/Refusing.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract Refusing {
  event Given(address to, uint256 amount);
  error Poor(uint256 has);
  uint256 public count;
  function bare() external { count++; revert(); }
  function said() external { count++; revert("not now"); }
  function custom() external { count++; revert Poor(7); }
  function halts() external { count++; assembly { invalid() } }
  function panics(uint256 by) external { count = 1 / by; }
  function give(address payable to) external payable { emit Given(to, msg.value); to.transfer(msg.value); }
}
`,
  'test/refusing.js': `
const { expect } = require('chai')
const { ethers } = require('hardhat')
const { PANIC_CODES } = require('@nomicfoundation/hardhat-chai-matchers/panic')
describe('Refusing', () => {
  let contract, other
  before(async () => {
    [, other] = await ethers.getSigners()
    contract = await ethers.deployContract('Refusing')
  })
  it('without a reason', async () => {
    await expect(contract.bare()).to.be.revertedWithoutReason(ethers)
    await expect(contract.bare.staticCall()).to.be.revertedWithoutReason(ethers)
    await expect(contract.bare.estimateGas()).to.be.revertedWithoutReason(ethers)
    await expect(contract.said()).not.to.be.revertedWithoutReason(ethers)
  })
  it('with a reason', async () => {
    await expect(contract.said()).to.be.revertedWith('not now')
    await expect(contract.said.staticCall()).to.be.revertedWith('not now')
    await expect(contract.bare()).not.to.be.revertedWith('not now')
  })
  it('with an error of its own', async () => {
    await expect(contract.custom()).to.be.revertedWithCustomError(contract, 'Poor').withArgs(7n)
    await expect(contract.said()).not.to.be.revertedWithCustomError(contract, 'Poor')
  })
  it('with an instruction that does not exist', async () => {
    await expect(contract.halts()).to.be.revertedWithoutReason(ethers)
    await expect(contract.halts.staticCall()).to.be.reverted
    await expect(contract.halts.staticCall()).to.be.revertedWithoutReason(ethers)
    await expect(contract.halts.estimateGas()).to.be.reverted
  })
  it('with a panic', async () => {
    await expect(contract.panics(0)).to.be.revertedWithPanic(PANIC_CODES.DIVISION_BY_ZERO)
    await expect(contract.panics(1)).not.to.be.reverted
    await expect(contract.bare()).to.be.reverted
  })
  it('is no refusal: events and balances', async () => {
    const give = () => contract.give(other, { value: 5n })
    await expect(give()).to.emit(contract, 'Given').withArgs(other.address, 5n)
    await expect(give()).to.changeEtherBalance(other, 5n)
  })
  it('a balance that was set just before is that of the block before', async () => {
    const address = '0x00000000000000000000000000000000000000e1'
    const sender = await ethers.getImpersonatedSigner(address)
    await ethers.provider.send('hardhat_setBalance', [address, '0xde0b6b3a7640000'])
    await expect(sender.sendTransaction({ to: other, value: 7n })).to.changeEtherBalances([sender, other], [-7n, 7n])
  })
})
`,
} as const

test('the matchers of Hardhat see why a transaction with a fixed gas limit failed', async (t) => {
  await using server = await startLocal()
  const config = hardhatConfig('@nomicfoundation/hardhat-chai-matchers', 'localhost', server.urls.eth)
  const folder = hardhatProject({ ...files, 'hardhat.config.js': config })
  const { code, out } = await runHardhat(folder, ['test'], 'localhost')
  t.is(code, 0, out)
  t.regex(out, /7 passing/)
})
