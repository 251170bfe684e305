/** Simulates a Cosmos transaction again with other messages, without sending it. */
import { base64Of } from '../../codec/base64.ts'
import { hexOf } from '../../codec/hex.ts'
import { AuthInfo, TxBody, TxRaw } from '../../codec/messages/cosmos.ts'
import { packedOfJson } from '../../codec/schema/protoJsonRead.ts'
import type { AbciEvent } from '../../app/abci.ts'
import { addressOfKey } from '../../app/evmd/ante/keys.ts'
import { isExpected, SimError } from '../../errors.ts'
import { eventView } from './eventViews.ts'
import { moduleChanges } from './moduleChanges.ts'
import { NotThere } from './route.ts'
import { findTx } from './transactions.ts'
import type { Instance } from '../ports.ts'

export type CosmosAsked = {
  /** The hash of the transaction whose signers and fee are used. */
  readonly hash: string
  /** Messages as the REST API spells them, each with `@type`. */
  readonly messages: readonly unknown[]
  readonly memo?: string | undefined
}

/**
 * Returns the gas, events and changes of a Cosmos transaction after those that wait, or its error. The
 * signers get their next sequences; a simulation checks no signatures. Throws `BadMessages` for
 * messages that cannot be encoded.
 */
export function simulateCosmos(instance: Instance, { hash, messages, memo }: CosmosAsked) {
  const found = findTx(instance, hash)
  if (found === undefined) throw new NotThere(`transaction ${hash}`)
  const raw = TxRaw.decode(found.record.block.txs[found.tx.index] ?? new Uint8Array(0))
  const body = TxBody.decode(raw.bodyBytes)
  const bytes = TxRaw.encode({
    ...raw,
    bodyBytes: TxBody.encode({ ...body, messages: packed(messages), memo: memo ?? body.memo, timeoutHeight: 0n }),
    authInfoBytes: withSequences(instance, raw.authInfoBytes),
  })
  const told = instance.peek('rest', 'POST /cosmos/tx/v1beta1/simulate', { tx_bytes: base64Of(bytes) })
  if (!('result' in told)) return { error: told.error.message, gasUsed: null, events: [], changes: [] }
  const { gas_info: gas, result } = told.result as {
    readonly gas_info: { readonly gas_used: string }
    readonly result: { readonly events: readonly AbciEvent[] }
  }
  return {
    error: null,
    gasUsed: Number(gas.gas_used),
    events: result.events.map(eventView),
    changes: moduleChanges(result.events),
  }
}

function packed(messages: readonly unknown[]) {
  try {
    return messages.map((one) => packedOfJson(one))
  } catch (error) {
    throw isExpected(error) ? new BadMessages(error.message) : error
  }
}

function withSequences(instance: Instance, authInfoBytes: Uint8Array): Uint8Array {
  const info = AuthInfo.decode(authInfoBytes)
  const signerInfos = info.signerInfos.map((signer) => {
    if (signer.publicKey === undefined) return signer
    const told = instance.peek('eth', 'eth_getTransactionCount', [hexOf(addressOfKey(signer.publicKey)), 'pending'])
    return 'result' in told ? { ...signer, sequence: BigInt(told.result as string) } : signer
  })
  return AuthInfo.encode({ ...info, signerInfos })
}

/** Thrown for messages that are not those of a Cosmos transaction. */
export class BadMessages extends SimError {
  constructor(why: string) {
    super('BAD_MESSAGES', `the messages cannot be encoded: ${why}`, {
      hint: 'Give a list of messages as the REST API spells them, each with "@type".',
    })
  }
}
