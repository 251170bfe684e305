require('@nomicfoundation/hardhat-ethers')

/** `npm test` starts a chain and passes its URL. */
module.exports = {
  solidity: '0.8.28',
  networks: {
    chainstage: { url: process.env.CHAINSTAGE_ETH_URL ?? 'http://127.0.0.1:8545' },
  },
}
