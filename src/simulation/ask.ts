/** Calls that a scenario makes itself, as a client would. */
import type { Asked } from '../node/asked.ts'
import type { RequestInput, Stamp } from '../node/input.ts'
import type { Node } from '../node/node.ts'
import type { Output, ReplyOutput } from '../node/output.ts'
import type { World } from '../node/world.ts'
import type { Simulation } from '../simulation.ts'
import { serveRequest } from '../rpc/serve.ts'
import type { RpcAnswer } from '../scenario/facts.ts'

/** Returns result or error of a call as JSON text. The node does not change. */
export function ask(world: World, node: Node, asked: Asked): RpcAnswer {
  const reply = serveRequest(world, node, requestOf(node, asked)).outputs.find(
    ({ kind }) => kind === 'reply',
  )
  if (reply?.kind !== 'reply') return { isError: false, text: 'null' }
  return answerOf(reply)
}

/** Returns what a reply says; one that is no JSON (a fault's) says null. */
export function answerOf({ body }: ReplyOutput): RpcAnswer {
  try {
    const { result, error } = JSON.parse(body) as { result?: unknown; error?: unknown }
    return { isError: error !== undefined, text: JSON.stringify(result ?? error ?? null) }
  } catch {
    return { isError: true, text: 'null' }
  }
}

/**
 * Returns the simulation that has kept the answers to what expectations asked, whose numbers are
 * negative, and the outputs without them.
 */
export function answersKept(
  simulation: Simulation, outputs: readonly Output[],
): { readonly simulation: Simulation; readonly outputs: readonly Output[] } {
  const ours = outputs.flatMap((one) => one.kind === 'reply' && one.seq < 0 ? [one] : [])
  if (ours.length === 0) return { simulation, outputs }
  const { progress } = simulation
  const { facts } = progress
  const fresh = ours.map((reply) => [facts.asked[-1 - reply.seq] ?? '', answerOf(reply)] as const)
  const late = { ...facts.late, ...Object.fromEntries(fresh) }
  return {
    simulation: { ...simulation, progress: { ...progress, facts: { ...facts, late } } },
    outputs: outputs.filter((one) => one.kind !== 'reply' || one.seq >= 0),
  }
}

/** Returns the request of a call over HTTP. */
export function requestOf(node: Node, { side, method, params }: Asked): Stamp & RequestInput {
  const isEmpty = side === 'comet' && params === '[]'
  return {
    seq: 0, timeMs: node.nowMs, session: '', kind: 'request', side, transport: 'http', verb: 'POST',
    target: '/',
    contentType: 'application/json', host: '127.0.0.1', origin: undefined, trusted: true,
    connection: undefined,
    body: `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${isEmpty ? '{}' : params}}`,
  }
}
