/** What the journal keeps of one call of a client. */
export type CallRecord = {
  readonly seq: number
  readonly timeMs: bigint
  readonly side: 'comet' | 'eth'
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
}
