/**
 * Loaded before every test file: ends its process when its tests are over, or when AVA itself has ended. Some
 * clients go on for ever, cosmjs' socket for one connects again after disconnect().
 */
import process from 'node:process'
import { registerCompletionHandler } from 'ava'

registerCompletionHandler(() => {
  process.exit()
})

process.once('disconnect', () => {
  process.exit(1)
})
