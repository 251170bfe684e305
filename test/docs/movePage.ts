/** The page for people who come from another tool: a start in three steps, what differs, and every flag. */
import { foreignFlags, type ForeignFlag } from '../../src/shell/cli/foreignFlags.ts'

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')

/** Returns the page with the fate of each flag of Anvil, Hardhat and CometMock. */
export function moveText(): string {
  const rows = foreignFlags.map(
    (flag) =>
      `| ${flag.names.map((name) => `\`${name}\``).join(', ')} | ${flag.tools.join(', ')} | ${cell(fate(flag))} |`,
  )
  return `${introduction}
## Flags

\`chainstage start\` accepts the flags of these tools. If it refuses a flag, the error suggests an alternative. \`--accounts\`,
\`--balance\`, \`--mnemonic\`, \`--state\`, \`--load-state\`, \`--dump-state\`, \`--gas-limit\`, \`--base-fee\`, \`--disable-code-size-limit\`,
\`--silent\`, \`--json\` and \`--fork\` mean the same as elsewhere.

| flag | tool | in chainstage |
|---|---|---|
${rows.join('\n')}
`
}

function fate({ means, idle, instead, note }: ForeignFlag): string {
  if (instead !== undefined) return `Refused. ${instead}`
  if (idle !== undefined) return `No effect: ${idle}.`
  return note ?? `Means \`${exampleOf(means)}\`.`
}

/** A flag whose value is read as a number or time has a note instead: `VALUE` is not one, and no sample is shown. */
function exampleOf(means: ForeignFlag['means']): string {
  return means?.('VALUE', { values: new Map<string, string>(), words: [] }).join(' ') ?? ''
}

const introduction = `# Move from Anvil, Hardhat or CometMock

Replace another development chain with chainstage, keep its flags and methods, and know the differences.

## From Anvil or Hardhat Network

1. Start chainstage with the flags that you know. Accounts, keys, port and chain id are those of Anvil:

   \`\`\`sh
   npx chainstage start --accounts 5 --balance 1000
   \`\`\`

2. Leave URLs and keys in your project as they are. Development methods exist as \`anvil_*\`, \`hardhat_*\` and \`evm_*\`:

   \`\`\`ts
   const ask = async (method: string, ...params: unknown[]) => {
     const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
     const headers = { 'content-type': 'application/json' }
     const { result, error } = await (await fetch('http://127.0.0.1:8545', { method: 'POST', headers, body })).json()
     if (error) throw new Error(error.message)
     return result
   }
   const id = await ask('evm_snapshot')
   await ask('anvil_mine', '0x5')
   await ask('hardhat_setBalance', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '0x1')
   console.log(Number(await ask('eth_chainId')), Number(await ask('eth_blockNumber')), await ask('evm_revert', id))
   \`\`\`

   \`\`\`text
   31337 6 true
   \`\`\`

3. Use \`--dialect hardhat\`, or the URL \`http://127.0.0.1:8545/hardhat\`, if your tests rely on Hardhat's units and results.

In a Hardhat project, name chainstage as a network in \`hardhat.config.cjs\`, and run with \`--network chainstage\`:

\`\`\`js file=hardhat.config.cjs unchecked
module.exports = {
  solidity: '0.8.28',
  networks: { chainstage: { url: 'http://127.0.0.1:8545' } },
}
\`\`\`

| subject | Anvil and Hardhat Network | chainstage |
|---|---|---|
| Chain ids | one EVM chain id | an EVM chain id (31337) and a Cosmos chain id (\`chainstage-1\`). \`--chain-id 1337\` sets the EVM one and derives the other |
| First block | genesis is block 0 | the chain starts at height 1, which is mined before the first response |
| Fees | a transaction pays for the gas that it used, and the base fee is burned | a transaction pays for at least half of its gas limit, and fees go to validators. The base fee moves as in Anvil; \`--base-fee\` sets its start |
| Unit | ether | \`atest\`, with 18 decimals. Wallets show TEST |
| Finality | \`safe\` and \`finalized\` lag behind \`latest\` in Anvil | every mined block is final: the three tags name the same block |
| Reorgs | \`anvil_reorg\` | the same method. A real CometBFT chain never reorganizes |
| Checkpoints | \`evm_snapshot\`, \`evm_revert\` | the same methods. Every interface returns to the checkpoint |
| Hard fork | the newest | Prague, as in Cosmos EVM v0.5.0 |
| Timestamps | the clock | \`--time logical\`: one second per block, the same on every run. \`--time wall\` follows the clock, as tests need that compare with \`Date.now()\` |
| Methods | their own | [the table of methods](../reference/methods.md) compares every method with Anvil and Hardhat |

## From CometMock

chainstage contains the application. There is no ABCI connection, and the five arguments of CometMock (applications, genesis, listener, homes,
connection) are not needed. \`--genesis FILE\` and \`--home FOLDER\` take [your genesis](own-genesis.md) and configuration.

If a chain is running, stop it with Ctrl-C first, because both use the same ports:

\`\`\`sh stop
npx chainstage start --block-production-interval=-1 --block-time=1000
\`\`\`

Its control methods are on CometBFT RPC, with the same names and units:

\`\`\`sh
curl --silent -d '{"jsonrpc":"2.0","id":1,"method":"advance_blocks","params":{"num_blocks":"3"}}' http://127.0.0.1:26657
curl --silent -d '{"jsonrpc":"2.0","id":1,"method":"advance_time","params":{"duration_in_seconds":"3600"}}' http://127.0.0.1:26657
\`\`\`

| CometMock | chainstage |
|---|---|
| \`advance_blocks\`, \`advance_time\` | the same. On the command line: \`chainstage mine 3\` and \`chainstage time 1h\` |
| \`set_signing_status\` | the same. In scenarios: \`do: { signing: { validator: 'validator0', up: false } }\` |
| \`cause_double_sign\`, \`cause_light_client_attack\` | the same. In scenarios: \`do: { evidence }\` |
| \`--block-time\`, \`--block-production-interval\` in milliseconds | the same, if both or \`--auto-tx\` are given. \`--block-time\` alone is Anvil's and in seconds |
`
