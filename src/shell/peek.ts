import type { Side } from '../settings/side.ts'
import type { Node } from '../node/node.ts'
import { worldOf, type World } from '../node/world.ts'
import { readLacking } from '../app/forked.ts'
import { noFaults } from '../fault/decide.ts'
import { serveRequest } from '../rpc/serve.ts'
import { rpcAnswerOf, requestInputOf } from '../simulation/ask.ts'
import { ownCodes } from '../rpc/ownCodes.ts'

export type PeekedCall = { readonly side: Side; readonly method: string; readonly params: unknown }

export type Peeked = { readonly result: unknown } | { readonly error: Refused }

type Refused = { readonly code: number; readonly message: string; readonly data?: unknown }

const unknown = {
  code: ownCodes.notFetched,
  message: 'chainstage: this state of the forked chain has not been fetched yet. Send the call as a client to fetch it',
}

const noJson: Refused = { code: 0, message: 'the response is not JSON' }

const namespaces = ['eth', 'web3', 'net', 'txpool', 'debug', 'personal', 'dev', 'admin', 'miner']

/**
 * Returns the response that a client would get without faults and with every namespace enabled. The
 * changes that the call makes are discarded.
 */
export function peek(world: World, node: Node, { side, method, params }: PeekedCall): Peeked {
  const settings = { ...node.settings, ethApi: namespaces, readSlice: 0 }
  const request = requestInputOf(node, { side, method, params: JSON.stringify(params) })
  const { value: served, lacks } = readLacking(node.chain.app.forked, () =>
    serveRequest(worldOf(world, settings), { ...node, settings, faults: noFaults }, request),
  )
  if (lacks) return { error: unknown }
  const { outputs } = served
  const reply = outputs.find(({ kind }) => kind === 'reply')
  if (reply?.kind !== 'reply') return { error: { code: 0, message: 'the response has to wait' } }
  if (side !== 'rest') return JSON.parse(reply.body) as Peeked
  const { isError, text } = rpcAnswerOf(reply)
  const value = JSON.parse(text) as unknown
  return isError ? { error: (value ?? noJson) as Refused } : { result: value }
}
