/** Names of sessions and saved checkpoints, which occur in URLs and file names. */
const pattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** The hint of errors about an invalid name. */
export const plainNameHint = 'Use at most 64 letters, digits, dots, dashes and underscores.'

/** Returns whether a text is a valid name of a session or checkpoint. */
export function isPlainName(text: string): boolean {
  return pattern.test(text)
}
