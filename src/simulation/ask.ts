/** Calls that the scenario itself makes, like a client. */
import { noFaults } from '../fault/decide.ts'
import type { ScenarioCall } from '../scenario/verdict.ts'
import type { RequestInput, Stamp } from '../node/input.ts'
import type { Node } from '../node/node.ts'
import type { Output, ReplyOutput } from '../node/output.ts'
import type { World } from '../node/world.ts'
import { serveRequest } from '../rpc/serve.ts'
import { withBroadcastAnswer } from '../scenario/broadcasts.ts'
import type { Facts, RpcAnswer } from '../scenario/facts.ts'
import type { Simulation } from './turn.ts'

/** Returns the result or error of a call without faults, as JSON text. The node does not change. */
export function ask(world: World, node: Node, asked: ScenarioCall): RpcAnswer {
  const { outputs } = serveRequest(world, { ...node, faults: noFaults }, requestInputOf(node, asked))
  const reply = outputs.find(({ kind }) => kind === 'reply')
  return reply?.kind === 'reply' ? rpcAnswerOf(reply) : { isError: false, text: 'null' }
}

/**
 * Returns the request line and body of a REST call. A method is a verb and a path, or a path to
 * GET; the parameters are the body.
 */
function restCall(method: string, params: string): Pick<RequestInput, 'verb' | 'target' | 'body'> {
  const [, verb = 'GET', target = method] = /^([A-Z]+) (.*)$/s.exec(method) ?? []
  return { verb, target, body: verb === 'GET' ? '' : params }
}

const noJson: RpcAnswer = { isError: true, text: 'null' }

/** Returns the result or error of a reply; null if it is not JSON (the response of a fault). */
export function rpcAnswerOf({ body, status }: ReplyOutput): RpcAnswer {
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value !== 'object' || value === null) return noJson
    // REST responses have no JSON-RPC envelope.
    if (!('jsonrpc' in value)) return { isError: status !== 200, text: JSON.stringify(value) }
    const { result, error } = value as { result?: unknown; error?: unknown }
    return { isError: error !== undefined, text: JSON.stringify(result ?? error ?? null) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return noJson
  }
}

/**
 * Stores the responses to the scenario's own requests, which have negative numbers. Returns the
 * simulation with them, and the other outputs.
 */
export function answersKept(
  simulation: Simulation,
  outputs: readonly Output[],
): { readonly simulation: Simulation; readonly outputs: readonly Output[] } {
  // Fast path: this runs for every client request, and most have no such reply.
  if (!outputs.some((one) => one.kind === 'reply' && one.seq < 0)) return { simulation, outputs }
  const ours = outputs.flatMap((one) => (one.kind === 'reply' && one.seq < 0 ? [one] : []))
  const { progress } = simulation
  const { asked } = progress.facts
  const facts = ours.reduce(
    (before, reply) => answerKept(before, asked[-1 - reply.seq] ?? '', rpcAnswerOf(reply)),
    progress.facts,
  )
  return {
    simulation: { ...simulation, progress: { ...progress, facts } },
    outputs: outputs.filter((one) => one.kind !== 'reply' || one.seq >= 0),
  }
}

function answerKept(facts: Facts, key: string, answer: RpcAnswer): Facts {
  if (facts.broadcasts?.[key] !== undefined) return withBroadcastAnswer(facts, key, answer)
  return { ...facts, late: { ...facts.late, [key]: answer } }
}

/**
 * Returns the HTTP request of a call. It must be answered at once, because the scenario waits for
 * it.
 */
export function requestInputOf(node: Node, asked: ScenarioCall): Stamp & RequestInput {
  const { side, method, params } = asked
  const isEmpty = side === 'comet' && params === '[]'
  return {
    seq: 0,
    timeMs: node.nowMs,
    session: '',
    kind: 'request',
    side,
    transport: 'http',
    contentType: 'application/json',
    host: '127.0.0.1',
    origin: undefined,
    trusted: true,
    connection: undefined,
    atOnce: true,
    ...(side === 'rest'
      ? restCall(method, params)
      : {
          verb: 'POST',
          target: '/',
          body: `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${isEmpty ? '{}' : params}}`,
        }),
  }
}
