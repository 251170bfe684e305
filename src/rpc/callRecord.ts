import type { Side } from '../settings/side.ts'

/** What the journal keeps of one call of a client. */
export type CallRecord = {
  readonly seq: number
  readonly timeMs: bigint
  readonly side: Side
  readonly transport: 'uri' | 'post' | 'ws'
  readonly method: string
  /** As they were sent: JSON text, '' for none. */
  readonly params: string
  readonly session: string
  readonly outcome: 'ok' | 'error' | 'fault'
  readonly faults: readonly string[]
  readonly delayMs: bigint
  /** 1, or more for a retry of a call that a fault had hit. */
  readonly attempt: number
  readonly given: Given
}

/**
 * What the client received, after faults: a result or an error as JSON text, an HTTP status in the
 * place of both, or nothing that it can read. A text that is too long to be kept is undefined.
 */
export type Given =
  | { readonly is: 'result' | 'error'; readonly text: string | undefined }
  | { readonly is: 'status'; readonly status: number }
  | { readonly is: 'nothing' }
