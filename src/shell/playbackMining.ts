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
import { methodOf, sides } from '../rpc/sides.ts'
import type { Call } from '../rpc/transport.ts'
import type { Side } from '../settings/side.ts'
import { staysText } from './control/act.ts'

/**
 * Returns the number of blocks that a call mines, or undefined if it does not mine. Throws
 * `RpcError` if it mines too many.
 */
export function minedBy(side: Side, { name, params }: Call): number | undefined {
  const method = methodOf({ side, method: name })
  if (method?.traits.includes('mines') !== true) return undefined
  if (method.params[0]?.role !== 'count') return 1
  const text = params.form === 'json' ? (params.text ?? '') : ''
  const count = BigInt(/0[xX][\da-fA-F]{1,64}|\d{1,78}/.exec(text)?.[0] ?? 1)
  checkCount(count)
  return Number(count)
}

/** Returns the answer to a call that has mined, as the method itself would give it. */
export function minedAnswer(world: World, node: Node, request: RequestInput, { id, name }: Call): Answer {
  const { side, connection, trusted, target, tool } = request
  const method = methodOf({ side, method: name })
  if (method === undefined) return { ok: undefined }
  const dialect = dialectOfPath(target) ?? dialectOfTool(tool, node.settings)
  const transport = sides[side].transportOf(request)
  const caller = { side, dialect, transport, id, connection, trusted, seq: 0, timeMs: node.nowMs }
  const result = method.reply({ world, node, caller, woken: undefined }, { type: 'produced', heights: [] }, [])
  return { ok: true, text: writeJson(method.result.encode(result) as Plain) }
}

/** Returns the error of a call that mines and did not move the playback. */
export function staysError(side: Side, height: number): Error {
  return side === 'comet' ? failed(staysText(height)) : serverError(staysText(height))
}
