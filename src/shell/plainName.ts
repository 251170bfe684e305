/** Names of sessions and saved checkpoints, which occur in URLs and file names. */
const pattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

<<<<<<< HEAD
/** The hint of errors about an invalid name. */
export const plainNameHint = 'Letters, digits, dots, dashes and underscores, at most 64 of them.'
=======
/** What a refusal of such a name advises. */
export const plainNameHint = 'Use at most 64 letters, digits, dots, dashes and underscores.'
>>>>>>> s3

/** Returns whether a text is a valid name of a session or checkpoint. */
export function isPlainName(text: string): boolean {
  return pattern.test(text)
}
