import { accountKeys } from '../../src/shell/world.ts'
import { stormSettings } from './climate.ts'

/** Addresses of the funded accounts that send, and of two that only receive. */
export const accounts: readonly string[] = [
  ...accountKeys(stormSettings)
    .slice(0, 4)
    .map(({ address }) => `0x${Buffer.from(address).toString('hex')}`),
  `0x${'11'.repeat(20)}`,
  `0x${'22'.repeat(20)}`,
]
