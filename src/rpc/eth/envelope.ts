/**
 * Writes the answers of Ethereum JSON-RPC, with members in the order of either of its two servers.
 */
import { escapeRaw, writeJson, sortedMembers } from '../../codec/goJsonWrite.ts'
import type { Answer, AnswerError } from '../../node/answer.ts'
import { codes } from './errors.ts'

/** An answer with a response, unlike a call that stays unanswered. */
export type ToldAnswer = Exclude<Answer, { readonly ok: undefined }>

export type Answered = { readonly id: string; readonly answer: ToldAnswer }

/** Returns an answer as geth writes it: version, id, then the result or error. */
export function answerText(id: string, answer: ToldAnswer): string {
  const head = `{"jsonrpc":"2.0","id":${escapeRaw(id)}`
  if (answer.ok) return `${head},"result":${answer.text}}`
  return `${head},"error":${errorText(answer.error)}}`
}

/** Returns an answer as the node's own WebSocket server writes it, with the id last. */
export function ownAnswerText(id: string, answer: ToldAnswer): string {
  const body = answer.ok ? `"result":${answer.text}` : `"error":${errorText(answer.error)}`
  return `{"jsonrpc":"2.0",${body},"id":${id}}`
}

/**
 * Returns the answers of a batch. Once they exceed `maxBytes` (0 for no limit), the rest are
 * errors.
 */
export function batchText(answers: readonly Answered[], maxBytes: number): string {
  let size = 0
  let isFull = false
  const texts = answers.map(({ id, answer }) => {
    const text = isFull ? answerText(id, tooLarge) : answerText(id, answer)
    size += answer.ok ? answer.text.length : 0
    isFull ||= maxBytes > 0 && size > maxBytes
    return text
  })
  return `[${texts.join(',')}]`
}

const tooLarge: ToldAnswer = {
  ok: false,
  error: { code: codes.tooLarge, message: 'response too large', data: undefined },
}

/** Returns JSON as Go rewrites it after decoding into a map: members sorted, numbers as float64. */
export function reencoded(text: string): string {
  return writeJson(sortedMembers(JSON.parse(text)))
}

function errorText({ code, message, data }: AnswerError): string {
  const head = `{"code":${code},"message":${writeJson(message)}`
  return data === undefined ? `${head}}` : `${head},"data":${data}}`
}
