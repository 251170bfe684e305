/** The word list of mnemonics (BIP-39, English). */
import { wordlist } from '@scure/bip39/wordlists/english.js'

const words = new Set(wordlist)

/** Returns whether a word is in the word list. */
export function isMnemonicWord(word: string): boolean {
  return words.has(word)
}
