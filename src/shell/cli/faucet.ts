import { asking, callControl, print, type ClientOptions } from './client.ts'
import type { Verb } from './verb.ts'

/** `chainstage faucet`: tokens out of nothing. */
export const faucet: Verb = () => asking('faucet')
  .description('Give an account of a running chain tokens out of nothing.')
  .argument('<address>', '0x… or cosmos1…')
  .argument('[tokens]', 'whole tokens, like 1.5', '100')
  .action(async (address: string, tokens: string, options: ClientOptions) => {
    const told = await callControl(
      options, 'POST', '/faucet', { address, tokens }
    ) as { wei: string }
    print(told, options, `${address} has ${told.wei} wei`)
  })
