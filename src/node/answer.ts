/** The answer to one call: the JSON text of its result, or its error. `data` is JSON text. */
export type Answer =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly error: AnswerError }
  /** The call gets no response: it is a notification, or a fault dropped the response. */
  | { readonly ok: undefined }

/**
 * The other chain's part of the answer to a call on a fork, as JSON text. The method adds our chain's
 * part when it runs, so that the answer shows the effects of earlier calls and of faults.
 */
export type OtherPart = { readonly other: string }

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
