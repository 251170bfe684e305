/** The answer to one call: the JSON text of its result, or its error. `data` is JSON text. */
export type Answer =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly error: AnswerError }
  /** The call gets no response: it is a notification, or a fault dropped the response. */
  | { readonly ok: undefined }

/**
 * `isFatal`: the reference node's handler panics here, so the rest of the request is skipped.
 * `isEarly`: rejected before a gRPC handler ran, so no metadata is sent with the error.
 */
export type AnswerError = {
  readonly code: number
  readonly message: string
  readonly data: string | undefined
  readonly isFatal?: boolean
  readonly isEarly?: boolean
}
