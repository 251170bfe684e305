/** Calls that mine, on a playback: they move its cursor. */
import { writeJson, type Plain } from '../codec/goJsonWrite.ts'
import type { Answer } from '../node/answer.ts'
import type { RequestInput } from '../node/input.ts'
import type { Node } from '../node/node.ts'
import type { World } from '../node/world.ts'
import { failed } from '../rpc/comet/errors.ts'
import { dialectOfPath, dialectOfTool } from '../rpc/devDialects.ts'
import { checkCount } from '../rpc/dev/mining.ts'
import { serverError } from '../rpc/eth/errors.ts'
import type { Context } from '../rpc/method.ts'
import { methodOf, sides } from '../rpc/sides.ts'
import type { Call } from '../rpc/transport.ts'
import type { Side } from '../settings/side.ts'
import { staysText } from './control/act.ts'

/** Returns whether a call mines blocks. */
export function isMining(side: Side, { name }: Call): boolean {
  return methodOf({ side, method: name })?.traits.includes('mines') === true
}

/** Returns the number of blocks that a call mines. Throws `RpcError` if the method refuses its parameters. */
export function minedBy(world: World, node: Node, request: RequestInput, call: Call): number {
  const method = methodOf({ side: request.side, method: call.name })
  const at = method?.params.findIndex(({ role }) => role === 'count') ?? -1
  if (method === undefined || at < 0) return 1
  const values = sides[request.side].dialect.decodeParams(method, call.params, contextOf(world, node, request, call))
  const count = countOf(values[at])
  checkCount(count)
  return Number(count)
}

/** Returns the count of a parameter that is a number of blocks, or an object with one. */
function countOf(value: unknown): bigint {
  if (typeof value === 'bigint') return value
  return (value as { readonly blocks?: bigint } | undefined)?.blocks ?? 1n
}

/** Returns the answer to a call that has mined, as the method itself would give it. */
export function minedAnswer(world: World, node: Node, request: RequestInput, call: Call): Answer {
  const method = methodOf({ side: request.side, method: call.name })
  if (method === undefined) return { ok: undefined }
  const result = method.reply(contextOf(world, node, request, call), { type: 'produced', heights: [] }, [])
  return { ok: true, text: writeJson(method.result.encode(result) as Plain) }
}

function contextOf(world: World, node: Node, request: RequestInput, { id }: Call): Context {
  const { side, connection, trusted, target, tool } = request
  const dialect = dialectOfPath(target) ?? dialectOfTool(tool, node.settings)
  const transport = sides[side].transportOf(request)
  const caller = { side, dialect, transport, id, connection, trusted, seq: 0, timeMs: node.nowMs }
  return { world, node, caller, woken: undefined }
}

/** Returns the error of a call that mines and did not move the playback. */
export function staysError(side: Side, height: number): Error {
  return side === 'comet' ? failed(staysText(height)) : serverError(staysText(height))
}
