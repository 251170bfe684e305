// Writes test/docs/peerMethods.json: our Ethereum JSON-RPC methods that Anvil and Hardhat have too.
// Start both, then run
//   node scripts/peerMethods.mjs http://127.0.0.1:9545 http://127.0.0.1:9645
// A method is missing if the response has the code -32601 or -32004, which these tools use.
import { writeFileSync } from 'node:fs'
import { ethereumMethods } from '../dist/test/docs/methodsPage.js'

/** Methods that both tools serve over WebSocket only. */
const socketMethods = ['eth_subscribe', 'eth_unsubscribe']

async function ask(url, method) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
  })
  return answer.json()
}

async function methodsOf(url) {
  const { result: version } = await ask(url, 'web3_clientVersion')
  const methods = []
  for (const { name } of ethereumMethods) {
    const { error } = socketMethods.includes(name) ? {} : await ask(url, name)
    if (![-32601, -32004].includes(error?.code)) methods.push(name)
  }
  return { version, methods: methods.toSorted() }
}

const [anvil, hardhat] = process.argv.slice(2)
const found = { anvil: await methodsOf(anvil), hardhat: await methodsOf(hardhat) }
writeFileSync(new URL('../test/docs/peerMethods.json', import.meta.url), `${JSON.stringify(found, null, 2)}\n`)
