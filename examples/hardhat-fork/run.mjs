// Forks a recorded chain, and runs Hardhat's tests on the fork. FORK names a node instead.
import { spawn } from 'node:child_process'
import { start } from 'chainstage'

const { FORK = 'node_modules/chainstage/snapshots/token-demo-fork' } = process.env
const chain = await start({ fork: { from: [FORK] }, ports: 'free' })
const hardhat = spawn('hardhat test --network fork', {
  shell: true,
  stdio: 'inherit',
  env: { ...process.env, CHAINSTAGE_ETH_URL: chain.urls.eth },
})
hardhat.once('exit', async (code) => {
  await chain.close()
  process.exit(code ?? 1)
})
