import { InvalidArgumentError } from 'commander'

/** Returns a whole number of an argument; throws what commander shows. */
export function numberOf(text: string): number {
  if (!/^\d{1,9}$/.test(text)) {
    throw new InvalidArgumentError(`expected a whole number, received "${text}".`)
  }
  return Number(text)
}
