import { InvalidArgumentError } from 'commander'

/** Returns the whole number in an argument. Throws an error that commander prints. */
export function numberOf(text: string): number {
  if (!/^\d{1,9}$/.test(text)) {
    throw new InvalidArgumentError(`expected a whole number, received "${text}".`)
  }
  return Number(text)
}
