/** Makes text from outside safe to print to people. */

/**
 * Returns the text with control characters escaped: the first character of an escape sequence
 * becomes `\\x1b`. A contract, a method name or a moniker can then neither color a terminal nor
 * move its cursor. Lines after the first are indented, so that no text can imitate a separate line.
 */
export function printable(text: string): string {
  return escaped(text.replace(/\r?\n/g, '\n      '))
}

/** Returns the text with control characters escaped, except line feeds. */
export function escaped(text: string): string {
  return text.replace(unprintable, (character) => {
    const code = character.charCodeAt(0)
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
  })
}

// Control characters except the line feed, and bidirectional overrides (Trojan Source).
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is there to find them
const unprintable = /[\0-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
