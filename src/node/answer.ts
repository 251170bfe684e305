/** The answer to one call: the JSON text of its result, or its error. `data` is JSON text. */
export type Answer =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly error: AnswerError }
  /** The call is answered with silence: a notification, or an answer that a fault took away. */
  | { readonly ok: undefined }

/**
 * `isFatal`: the real node's handler panics here, so the rest of the request is not carried out.
 * `isEarly`: refused before a gRPC handler ran, so that no metadata is sent with it.
 */
export type AnswerError = {
  readonly code: number
  readonly message: string
  readonly data: string | undefined
  readonly isFatal?: boolean
  readonly isEarly?: boolean
}
