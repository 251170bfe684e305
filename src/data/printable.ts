/** Text from outside, made safe to print where people read. */

/**
 * Returns the text without control characters: `\\x1b` stands for an escape sequence's first
 * character, so a contract, a method name or a moniker can neither color a terminal nor move its
 * cursor. Lines after the first are indented, so that no text can pass for a line of its own.
 */
export function printable(text: string): string {
  return escaped(text.replace(/\r?\n/g, '\n      '))
}

/** Returns the text without control characters other than line feeds, for text of several lines. */
export function escaped(text: string): string {
  return text.replace(unprintable, (character) => {
    const code = character.charCodeAt(0)
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
  })
}

// Controls but the line feed, and what reverses the direction of writing (Trojan Source).
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is there to find them
const unprintable = /[\0-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
