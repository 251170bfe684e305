/**
 * Converts answers to text for a file: the raw result, an error under `$e`, or the digest of a blob
 * under `$b`.
 */
import type { Answer } from '../../node/answer.ts'
import { memberTexts } from '../playback/slice.ts'

/**
 * Maximum length in characters of an inline result. Longer results are stored once, in a file that
 * all calls share.
 */
const inlineLimit = 1024

/** Returns the text of an answer. `blob` stores a large result and returns its digest. */
export function writeAnswer(answer: Answer, blob: (text: string) => string): string {
  if (answer.ok === undefined) return '{"$s":true}'
  if (answer.ok) {
    const { text } = answer
    const isPlain = text.length <= inlineLimit && !text.includes('\n') && !text.startsWith('{"$')
    return isPlain ? text : `{"$b":"${blob(text)}"}`
  }
  const { code, message, data, isEarly } = answer.error
  const rest = `${data === undefined ? '' : `,"data":${data}`}${isEarly === true ? ',"isEarly":true' : ''}`
  const text = `{"$e":{"code":${code},"message":${JSON.stringify(message)}${rest}}}`
  return text.length <= inlineLimit * 4 && !text.includes('\n') ? text : `{"$b":"${blob(text)}"}`
}

/** Parses the text of an answer. `blob` returns the stored text for a digest. */
export function readAnswer(text: string, blob: (digest: string) => string): Answer {
  if (!text.startsWith('{"$')) return { ok: true, text }
  const members = memberTexts(text)
  const digest = members.get('$b')
  if (digest !== undefined) {
    const found = blob(JSON.parse(digest) as string)
    return found.startsWith('{"$e"') ? readAnswer(found, blob) : { ok: true, text: found }
  }
  const error = members.get('$e')
  if (error === undefined) return { ok: undefined }
  const parts = memberTexts(error)
  const message = String(JSON.parse(parts.get('message') ?? '""'))
  return {
    ok: false,
    error: {
      code: Number(parts.get('code') ?? 0),
      message,
      data: parts.get('data'),
      ...(parts.get('isEarly') === 'true' ? { isEarly: true } : {}),
    },
  }
}
