require('@nomicfoundation/hardhat-ethers')

/** `npm test` starts the fork and sets its URL. */
module.exports = {
  solidity: '0.8.28',
  networks: { fork: { url: process.env.CHAINSTAGE_ETH_URL ?? 'http://127.0.0.1:8545' } },
}
