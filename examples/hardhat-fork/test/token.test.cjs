const assert = require('node:assert/strict')
const { ethers, network } = require('hardhat')

const token = '0xf520246a62260495acab787a3c6275421db12a16'
const treasury = '0xd64361ecee685ddb6d13143c109739be530f1e06'
const abi = [
  'function symbol() view returns (string)',
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
]

describe('a token on the forked chain', () => {
  it('is there with its state', async () => {
    const demo = new ethers.Contract(token, abi, ethers.provider)
    assert.equal(await demo.symbol(), 'DEMO')
    assert.ok((await demo.balanceOf(treasury)) > 0n)
  })

  it('is transferred by its owner, who is impersonated', async () => {
    const [alice] = await ethers.getSigners()
    await network.provider.send('hardhat_impersonateAccount', [treasury])
    const demo = new ethers.Contract(token, abi, await ethers.getSigner(treasury))
    const before = await demo.balanceOf(alice.address)
    const sent = await demo.transfer(alice.address, 5n)
    assert.equal((await sent.wait()).status, 1)
    assert.equal(await demo.balanceOf(alice.address), before + 5n)
  })
})
