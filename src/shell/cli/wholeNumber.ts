import { InvalidArgumentError } from 'commander'

/** Returns the whole number in an argument. Throws an error that commander prints. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) {
    const most = /^\d+$/.test(text) ? ' of at most 9 digits' : ''
    throw new InvalidArgumentError(`expected a whole number${most}, received "${text}".`)
  }
  return Number(text)
}
