import type { Side } from '../settings/side.ts'

/** The journal's record of one call of a client. */
export type CallRecord = {
  readonly seq: number
  readonly timeMs: bigint
  /** The height of the chain when the call ran; absent in older saved states. */
  readonly height?: bigint
  readonly side: Side
  readonly transport: 'uri' | 'post' | 'ws'
  readonly method: string
  /** The parameters as sent: JSON text, or '' if there were none. */
  readonly params: string
  readonly session: string
  readonly outcome: 'ok' | 'error' | 'fault'
  readonly faults: readonly string[]
  readonly delayMs: bigint
  /** 1 for a first attempt; 2 or more for a retry of a call that a fault hit. */
  readonly attempt: number
  readonly given: GivenAnswer
}

/**
 * The response as the client received it, after faults: a result or an error as JSON text, an HTTP
 * status, or nothing readable. `text` is undefined if it was too long to keep.
 */
export type GivenAnswer =
  | { readonly is: 'result' | 'error'; readonly text: string | undefined }
  | { readonly is: 'status'; readonly status: number }
  | { readonly is: 'nothing' }
