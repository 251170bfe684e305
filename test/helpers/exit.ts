/**
 * Loaded before every test file: ends its process when its tests are over. Some clients go on for
 * ever, cosmjs' socket for one connects again after disconnect().
 */
import process from 'node:process'
import { registerCompletionHandler } from 'ava'

registerCompletionHandler(() => {
  process.exit()
})
