/** What can be said of an Ethereum transaction without any state (geth's txpool rules, §2.7). */
import { accountText } from '../address.ts'
import type { Context } from '../context.ts'
import type { RecoveredTx } from '../../ethereumView.ts'
import type { DecodedTx } from '../tx/decodeTx.ts'
import { goError, sdkError } from '../txError.ts'
import { floorGas, intrinsicGas } from './intrinsicGas.ts'

const maxInitCode = 49_152

/** Throws what the message itself refuses, before the ante chain (MsgEthereumTx.ValidateBasic). */
export function checkBasics({ tx }: RecoveredTx): void {
  if (tx.gasLimit === 0n) throw sdkError('invalidGasLimit', 'gas limit must not be zero')
  if (tx.priorityFee !== undefined && tx.priorityFee > tx.gasPrice) {
    throw goError('max priority fee per gas higher than max fee per gas')
  }
  const needed = intrinsicGas(tx)
  if (tx.gasLimit < needed) {
    throw goError(`intrinsic gas too low: gas ${tx.gasLimit}, minimum needed ${needed}`)
  }
  if (tx.type === 4 && tx.authorizations.length === 0) {
    throw goError('set code tx must have at least one authorization tuple')
  }
}

/** Throws what the pool's rules refuse: kind, size of init code, chain id, floor of EIP-7623. */
export function checkPoolRules({ fixed }: Context, { tx, chainId }: RecoveredTx): void {
  if (tx.type === 3) {
    throw goError('transaction type not supported: tx type 3 not supported by this pool')
  }
  if (tx.to === undefined && tx.data.length > maxInitCode) {
    throw goError(`max initcode size exceeded: code size ${tx.data.length}, limit ${maxInitCode}`)
  }
  if (chainId !== undefined && chainId !== fixed.evmChainId) {
    throw goError(
      `invalid sender: invalid chain id for signer: have ${chainId} want ${fixed.evmChainId}`
    )
  }
  const floor = floorGas(tx)
  if (tx.gasLimit < floor) {
    throw goError(
      `insufficient gas for floor data gas cost: gas ${tx.gasLimit}, minimum needed ${floor}`
    )
  }
}

/** Throws when the Cosmos transaction around it is not the one encoding (§4.1). */
export function checkWrapping(
  { body, signers, signatures, fee, messages }: DecodedTx, { tx, from }: RecoveredTx,
  wrapping: Wrapping,
): void {
  const invalid = (text: string) => sdkError('invalidRequest', text)
  if (
    body.memo !== '' || body.timeoutHeight !== 0n || body.nonCriticalExtensionOptions.length > 0
  ) {
    throw invalid('for eth tx body Memo TimeoutHeight NonCriticalExtensionOptions should be empty')
  }
  if (body.extensionOptions.length !== 1) {
    throw invalid('for eth tx length of ExtensionOptions should be 1')
  }
  if (messages.length !== 1) throw invalid(`expected 1 message, got ${messages.length}`)
  if (signers.length > 0) throw invalid('for eth tx AuthInfo SignerInfos should be empty')
  if (fee.payer !== '' || fee.granter !== '') {
    throw invalid('for eth tx AuthInfo Fee payer and granter should be empty')
  }
  if (signatures.length > 0) throw invalid('for eth tx Signatures should be empty')
  const cost = tx.gasLimit * tx.gasPrice
  const expected = cost === 0n ? '' : `${cost}${wrapping.denom}`
  const given = fee.amount.map(({ denom, amount }) => `${amount}${denom}`).join(',')
  if (given !== expected) throw invalid(`invalid AuthInfo Fee Amount (${given} != ${expected})`)
  if (fee.gasLimit !== tx.gasLimit) {
    throw invalid(`invalid AuthInfo Fee GasLimit (${fee.gasLimit} != ${tx.gasLimit})`)
  }
  if (accountText(from) !== accountText(wrapping.sender)) {
    throw sdkError('unauthorized', 'signature verification failed: sender address does not match')
  }
}

/** `sender` is what the message claims. */
export type Wrapping = { readonly denom: string; readonly sender: Uint8Array }
