import { asking, callControl, print, type ClientOptions } from './client.ts'
import type { Verb } from './verb.ts'

/** `chainstage faucet`: mints test tokens. */
export const faucet: Verb = () =>
  asking('faucet')
    .description('Mint test tokens to an address.')
    .argument('<address>', 'Address, 0x… or cosmos1….')
    .argument('[tokens]', 'Whole tokens, like 1.5.', '100')
    .action(async (address: string, tokens: string, options: ClientOptions) => {
      const told = (await callControl(options, 'POST', '/faucet', { address, tokens })) as { wei: string }
      print(told, options, `${address} has ${tokensText(BigInt(told.wei))} tokens`)
    })

const weiPerToken = 10n ** 18n

/** Returns wei as an amount in whole tokens, in the format of the command: `1.5`. */
function tokensText(wei: bigint): string {
  const fraction = String(wei % weiPerToken)
    .padStart(18, '0')
    .replace(/0+$/, '')
  return `${wei / weiPerToken}${fraction === '' ? '' : `.${fraction}`}`
}
