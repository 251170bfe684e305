/** Names of sessions and of saved checkpoints: they stand in URLs and in names of files. */
const pattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** What a refusal of such a name advises. */
export const plainNameHint = 'Use at most 64 letters, digits, dots, dashes and underscores.'

/** Returns whether a text is such a name. */
export function isPlainName(text: string): boolean {
  return pattern.test(text)
}
