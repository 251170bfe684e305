/** Stateless checks of an Ethereum transaction (geth's txpool rules, §2.7). */
import { hexOf } from '../../../codec/hex.ts'
import { equalBytes } from '../../../data/bytes.ts'
import { coinsOf, coinsText } from '../coins.ts'
import type { Context } from '../context.ts'
import type { RecoveredTx } from '../../ethereumView.ts'
import type { Addressing } from '../address.ts'
import { type DecodedTx, txSigners } from '../tx/decodeTx.ts'
import { goError, sdkError, TxError } from '../txError.ts'
import { checkFeeItself } from './fees.ts'
import { floorGas, intrinsicGas } from '../ethereum/intrinsicGas.ts'
import { checksumAddress } from '../../../crypto/checksumAddress.ts'

const maxInitCode = 49_152

/**
 * Throws for a message that is invalid in itself, before the ante chain
 * (MsgEthereumTx.ValidateBasic).
 */
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

/**
 * Throws for violations of the pool's rules: type, init code size, chain ID, EIP-7623 gas floor.
 */
export function checkPoolRules({ fixed }: Context, { tx, chainId }: RecoveredTx): void {
  if (tx.type === 3) {
    throw goError('transaction type not supported: tx type 3 not supported by this pool')
  }
  if (tx.to === undefined && tx.data.length > maxInitCode && !fixed.hasUnlimitedCode) {
    throw goError(`max initcode size exceeded: code size ${tx.data.length}, limit ${maxInitCode}`)
  }
  if (chainId !== undefined && chainId !== fixed.evmChainId) {
    throw goError(`invalid sender: invalid chain id for signer: have ${chainId} want ${fixed.evmChainId}`)
  }
  const floor = floorGas(tx)
  if (tx.gasLimit < floor) {
    throw goError(`insufficient gas for floor data gas cost: gas ${tx.gasLimit}, minimum needed ${floor}`)
  }
}

const invalid = (text: string) => sdkError('invalidRequest', text)

/**
 * Throws if the Cosmos transaction is not a valid wrapper of an Ethereum transaction (§4.1,
 * cosmos/evm ante/evm ValidateTx).
 */
export function checkEnvelope(at: Addressing, tx: DecodedTx): void {
  checkTx(at, tx)
  const { body, signers, signatures, fee } = tx
  if (body.memo !== '' || body.timeoutHeight !== 0n || body.nonCriticalExtensionOptions.length > 0) {
    throw invalid('for eth tx body Memo TimeoutHeight NonCriticalExtensionOptions should be empty')
  }
  if (body.extensionOptions.length !== 1) {
    throw invalid('for eth tx length of ExtensionOptions should be 1')
  }
  if (signers.length > 0) throw invalid('for eth tx AuthInfo SignerInfos should be empty')
  if (fee.payer !== '' || fee.granter !== '') {
    throw invalid('for eth tx AuthInfo Fee payer and granter should be empty')
  }
  if (signatures.length > 0) throw invalid('for eth tx Signatures should be empty')
}

/**
 * Makes the SDK's checks of every transaction, except that no signatures are needed (types/tx
 * ValidateBasic).
 */
function checkTx(at: Addressing, tx: DecodedTx): void {
  const { signatures } = tx
  try {
    if (!tx.hasFee) throw goError('missing fee')
    checkFeeItself(at, tx)
    const needed = txSigners(at, tx).length
    if (signatures.length > 0 && signatures.length !== needed) {
      throw sdkError('unauthorized', `wrong number of signers; expected ${needed}, got ${signatures.length}`)
    }
  } catch (error) {
    throw error instanceof TxError ? error.inside('tx basic validation failed') : error
  }
}

/** Throws if the claimed sender is not the signer (SignatureVerification). */
export function checkClaimedSender({ from }: RecoveredTx, claimed: Uint8Array): void {
  if (equalBytes(from, claimed)) return
  throw sdkError(
    'invalidSigner',
    `signature verification failed: sender verification failed. got ${checksumAddress(from)}, ` +
      `expected ${hexOf(claimed)}`,
  )
}

/** Throws if the Cosmos transaction's fee differs from the Ethereum transaction's (CheckTxFee). */
export function checkClaimedFee({ fee }: DecodedTx, { tx }: RecoveredTx, denom: string): void {
  const cost = tx.gasLimit * tx.gasPrice
  const coins = coinsOf(fee.amount) ?? []
  const given = coins.find((coin) => coin.denom === denom)?.amount ?? 0n
  if (given !== cost) throw invalid(`invalid AuthInfo Fee Amount (${coinsText(coins)} != ${cost})`)
  if (fee.gasLimit !== tx.gasLimit) {
    throw invalid(`invalid AuthInfo Fee GasLimit (${fee.gasLimit} != ${tx.gasLimit})`)
  }
}
