const assert = require('node:assert/strict')
const { ethers, network } = require('hardhat')

describe('chainstage', () => {
  it('mines a transfer at once over Ethereum JSON-RPC', async () => {
    const [alice, bob] = await ethers.getSigners()
    const sent = await alice.sendTransaction({ to: bob.address, value: 1n })
    const receipt = await sent.wait()
    assert.equal(receipt.status, 1)
  })

  it('moves block time as Hardhat Network does', async () => {
    const before = await ethers.provider.getBlock('latest')
    await network.provider.send('evm_increaseTime', [3600])
    await network.provider.send('evm_mine')
    const after = await ethers.provider.getBlock('latest')
    assert.ok(after.timestamp >= before.timestamp + 3600)
  })

  it('shows the same height over CometBFT RPC', async () => {
    const answer = await fetch(`${process.env.CHAINSTAGE_COMET_URL}/status`)
    const { result } = await answer.json()
    assert.equal(Number(result.sync_info.latest_block_height), await ethers.provider.getBlockNumber())
  })
})
