/**
 * Prints lines of text. Control characters from outside cannot move the cursor or change colors.
 */
import { escaped } from '../../data/printable.ts'

/** Prints text and a line feed to standard output; control characters are escaped. */
export function say(text: string): void {
  process.stdout.write(`${escaped(text)}\n`)
}

/** Prints text and a line feed to standard error; control characters are escaped. */
export function warn(text: string): void {
  process.stderr.write(`${escaped(text)}\n`)
}
