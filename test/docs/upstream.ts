/** The chain that pages call `node`: another node, which they record or fork. */
import type { ChildProcess } from 'node:child_process'
import { answersStatus, portsFor, ready, startShell, stopped, type Place } from './processes.ts'

/** Pages fork that node at height 120. */
const blocks = 150

/** Names of the environment variables of the ports. */
const variables = {
  CHAINSTAGE_JSON_RPC_ADDRESS: '8545',
  CHAINSTAGE_JSON_RPC_WS_ADDRESS: '8546',
  CHAINSTAGE_RPC_LADDR: '26657',
  CHAINSTAGE_API_ADDRESS: '1317',
  CHAINSTAGE_GRPC_ADDRESS: '9090',
  CHAINSTAGE_CONTROL: '8555',
}

export type Upstream = {
  /** Returns a text with the addresses of the node, such as `node:8545`, as they are here. */
  readonly here: (text: string) => string
  readonly end: () => Promise<void>
}

/** Starts a chain of 151 blocks at free ports; `place` is where `npx chainstage` finds the package. */
export async function startUpstream(place: Place): Promise<Upstream> {
  const ports = await portsFor(Object.values(variables))
  const addresses = Object.entries(variables).map(([name, port]) => {
    const address = `127.0.0.1:${ports.get(port)}`
    return [name, name === 'CHAINSTAGE_RPC_LADDR' ? `tcp://${address}` : address] as const
  })
  const env = { ...place.env, ...Object.fromEntries(addresses) }
  const child: ChildProcess = startShell('npx chainstage start', { ...place, env })
  const control = ports.get('8555')
  await ready(child, () => answersStatus(control))
  const mined = await fetch(`http://127.0.0.1:${control}/api/mine`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ blocks }),
  })
  if (!mined.ok) throw new Error(`the node mined no blocks: ${await mined.text()}`)
  return {
    here: (text) => text.replaceAll(/\bnode:(\d{4,5})\b/g, (_, port: string) => `127.0.0.1:${ports.get(port)}`),
    end: () => stopped(child),
  }
}
