/** Lets accounts send transactions without a key (`app/unsigned.ts`). */
import { bool, optional, text } from '../../codec/codec.ts'
import { address, hexOf } from '../../codec/hex.ts'
import { submittedHash } from '../eth/broadcast.ts'
import { sendUnsigned } from '../eth/sendAsNode.ts'
import { txArgs } from '../../app/txArgs.ts'
import { stranger } from '../exampleCalls.ts'
import { param, type Method } from '../method.ts'
import { edit } from './accounts.ts'
import { control, setter } from './control.ts'

const owner = param('address', address)

export const impersonation: readonly Method[] = [
  ...control({
    names: setter('impersonateAccount'),
    summary: 'Lets an account send transactions through the node without a key.',
    params: [owner],
    examples: [['0x1111111111111111111111111111111111111111']],
    command: (_context, [who]) => edit({ type: 'setImpersonated', address: who, isOn: true }),
  }),
  ...control({
    names: setter('stopImpersonatingAccount'),
    summary: 'Stops impersonating an account.',
    params: [owner],
    examples: [['0x1111111111111111111111111111111111111111']],
    command: (_context, [who]) => edit({ type: 'setImpersonated', address: who, isOn: false }),
  }),
  ...control({
    names: { evm_addAccount: true },
    traits: ['carriesSecrets'],
    summary: 'Lets an account send transactions without a key; the passphrase (for Ganache) is ignored.',
    params: [owner, param('passphrase', optional(text()), undefined)],
    examples: [['0x1111111111111111111111111111111111111111', 'secret']],
    command: (_context, [who]) => edit({ type: 'setImpersonated', address: who, isOn: true }),
  }),
  ...control({
    names: { evm_removeAccount: true },
    traits: ['carriesSecrets'],
    summary: 'Stops impersonating an account.',
    params: [owner, param('passphrase', optional(text()), undefined)],
    examples: [['0x1111111111111111111111111111111111111111', 'secret']],
    command: (_context, [who]) => edit({ type: 'setImpersonated', address: who, isOn: false }),
  }),
  ...control({
    names: setter('autoImpersonateAccount'),
    summary: 'Turns impersonation of all accounts on or off.',
    params: [param('on', bool)],
    examples: [[true]],
    command: (_context, [isOn]) => edit({ type: 'setImpersonated', address: undefined, isOn }),
  }),
  ...control({
    names: {
      eth_sendUnsignedTransaction: (_context, outcome) => hexOf(submittedHash(outcome, '')),
    },
    traits: ['submits'],
    summary: 'Submits a transaction from an impersonated account and returns its hash.',
    params: [param('transaction', txArgs)],
    examples: [
      {
        before: [
          ['anvil_autoImpersonateAccount', true],
          ['anvil_setBalance', stranger, '0xde0b6b3a7640000'],
        ],
        params: [{ from: stranger, to: stranger }],
      },
    ],
    command: (context, [args]) => sendUnsigned(context, args),
  }),
]
