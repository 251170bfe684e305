/** The words that mnemonics are made of (BIP-39, English). */
import { wordlist } from '@scure/bip39/wordlists/english.js'

const words = new Set(wordlist)

/** Returns whether a word may stand in a mnemonic. */
export function isMnemonicWord(word: string): boolean {
  return words.has(word)
}
