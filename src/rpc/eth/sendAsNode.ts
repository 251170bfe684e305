import { unsignedTx } from '../../app/unsigned.ts'
import { encodeEthTx } from '../../codec/ethTx.ts'
import { quantityOf } from '../../codec/hex.ts'
import type { NodeCommand } from '../../node/command.ts'
import type { Context } from '../method.ts'
import { submission } from './broadcast.ts'
import { serverError } from './errors.ts'
import { fillTx } from './fill.ts'
import { checkUnlocked, signingKeyOf, signTx } from './keys.ts'
import { chainIdOf, ethereumOf } from './lookup.ts'
import type { TxArgs } from '../../app/txArgs.ts'

/**
 * Returns the command that sends a transaction. The node's key for the sender signs it; the
 * transaction of an impersonated sender stays unsigned.
 */
export function sendAsNode(context: Context, args: TxArgs): NodeCommand {
  checkUnlocked(context)
  const from = args.from ?? new Uint8Array(20)
  const view = ethereumOf(context)
  const chainId = chainIdOf(context)
  if (view.isImpersonated(context.node.chain.app, from)) return sendUnsigned(context, args)
  const key = signingKeyOf(context, from, "failed to find key in the node's keyring; ")
  if (args.chainId !== undefined && args.chainId !== chainId) {
    const given = `have=${quantityOf(args.chainId)}, want=${quantityOf(chainId)}`
    throw serverError(`chainId does not match node's (${given})`)
  }
  return submission(context, signTx(fillTx(context, args), key, chainId))
}

/** Returns the command that submits a transaction with the given sender instead of a signature. */
export function sendUnsigned(context: Context, args: TxArgs): NodeCommand {
  const view = ethereumOf(context)
  const from = args.from ?? new Uint8Array(20)
  const tx = unsignedTx(fillTx(context, args), from, chainIdOf(context))
  return { type: 'submitTx', tx: view.wrap(context.node.chain.app, view.decode(encodeEthTx(tx))), mode: 'admit' }
}
