/** Writes the answers of interface B, in the orders of members that its two servers use. */
import { escapeAsGo, writeJson, type Plain } from '../../codec/goJsonWrite.ts'
import type { RpcErrorShape } from '../dialect.ts'
import { codes } from './errors.ts'

/** What became of a call: JSON text of the result, or an error. */
export type Answer = { readonly ok: true; readonly result: string } | { readonly ok: false; readonly error: RpcErrorShape }

/** Returns an answer as geth writes it: version, id, then result or error. */
export function answerText(id: string, answer: Answer): string {
  const head = `{"jsonrpc":"2.0","id":${escapeAsGo(id)}`
  return answer.ok ? `${head},"result":${answer.result}}` : `${head},"error":${errorText(answer.error)}}`
}

/** Returns an answer as the node's own WebSocket server writes it: the id last. */
export function ownAnswerText(id: string, answer: Answer): string {
  const body = answer.ok ? `"result":${answer.result}` : `"error":${errorText(answer.error)}`
  return `{"jsonrpc":"2.0",${body},"id":${id}}`
}

/** Returns the answers of a batch; once they exceed `maxBytes` the rest is refused (`0` is no limit). */
export function batchText(answers: readonly { readonly id: string; readonly answer: Answer }[], maxBytes: number): string {
  let size = 0
  let isFull = false
  const texts = answers.map(({ id, answer }) => {
    const text = isFull ? answerText(id, tooLarge) : answerText(id, answer)
    size += answer.ok ? answer.result.length : 0
    isFull ||= maxBytes > 0 && size > maxBytes
    return text
  })
  return `[${texts.join(',')}]`
}

const tooLarge: Answer = { ok: false, error: { code: codes.tooLarge, message: 'response too large', data: undefined } }

/** Returns JSON as Go writes what it has read into a map: members sorted, numbers as float64. */
export function reencoded(text: string): string {
  return writeJson(sorted(JSON.parse(text)))
}

function sorted(value: Plain): Plain {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1)
  return Object.fromEntries(entries.map(([key, each]) => [key, each === undefined ? undefined : sorted(each)]))
}

function errorText({ code, message, data }: RpcErrorShape): string {
  const head = `{"code":${code},"message":${writeJson(message)}`
  return data === undefined ? `${head}}` : `${head},"data":${data}}`
}
