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

  it('shows the same balances over the Cosmos REST API', async () => {
    const [alice] = await ethers.getSigners()
    const path = '/cosmos/bank/v1beta1/balances/cosmos17w0adeg64ky0daxwd2ugyuneellmjgnxramjtq'
    const { balances } = await (await fetch(`${process.env.CHAINSTAGE_REST_URL}${path}`)).json()
    const wei = await ethers.provider.getBalance(alice.address)
    assert.equal(BigInt(balances.find(({ denom }) => denom === 'atest').amount), wei)
  })

  it('answers gRPC, here as gRPC-web', async () => {
    // An empty message, framed for gRPC-web: a flag byte and four bytes of length.
    const answer = await fetch(`${process.env.CHAINSTAGE_REST_URL}/cosmos.base.tendermint.v1beta1.Service/GetLatestBlock`, {
      method: 'POST',
      headers: { 'content-type': 'application/grpc-web+proto' },
      body: new Uint8Array(5),
    })
    const text = Buffer.from(await answer.arrayBuffer()).toString('latin1')
    assert.match(text, /grpc-status: ?0/)
  })
})
