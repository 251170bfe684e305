/** A chain on which a scenario runs that has steps, rules and faults to tell of. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { start, type Server } from '../../src/index.ts'
import { scratch } from './cli.ts'
import { rpc } from './control.ts'

const text = `{ chainstage: 1, name: 'told', seed: 's',
  faults: { busy: { match: { method: 'eth_gasPrice' }, select: { count: 1, per: 'attempt' }, effect: { http: { status: 503 } } } },
  rules: [{ id: 'gossip', when: { request: { method: 'eth_chainId' } }, times: 5, do: { log: 'again' } }],
  steps: [{ id: 'first', do: { fault: { use: 'busy' } } },
    { id: 'second', when: { request: { method: 'eth_call', params: ['0x1'], nth: 2 } }, timeout: '10m' }, { id: 'third' }] }`

/** Starts the chain and sends calls that the scenario has something to say about. */
export async function startTold(): Promise<Server> {
  const path = join(scratch(), 's.json5')
  writeFileSync(path, text)
  const server = await start({ scenario: path, ports: 'free' })
  const { eth } = server.urls
  await rpc(eth, 'eth_chainId')
  await rpc(eth, 'eth_chainId')
  await rpc(eth, 'eth_gasPrice').catch(() => {})
  await rpc(eth, 'eth_gasPrice')
  await rpc(eth, 'eth_call', '0x2').catch(() => {})
  return server
}
