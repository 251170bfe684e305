/** Builds the proofs of `eth_getProof`. */
import { storeQueryContext } from '../../node/latestQuery.ts'
import type { ProofOp } from '../../app/abci.ts'
import type { AppState } from '../../app/state.ts'
import type { BlockRef } from '../../codec/blockRef.ts'
import type { PlainObject } from '../../codec/goJsonWrite.ts'
import { hexOf, quantityOf } from '../../codec/hex.ts'
import { concatBytes } from '../../data/bytes.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import type { Context } from '../method.ts'
import { grpcText, invalidParams, serverError } from './errors.ts'
import { committedState, ethereumOf, heightOfRef } from './lookup.ts'
import { isPending } from './params.ts'
import { storageKey } from './storageKey.ts'
import { bigOf } from '../../data/bigEndian.ts'

type Wanted = { readonly keys: readonly string[]; readonly at: BlockRef }

// Below this height the node has no header whose app hash could verify a proof.
const firstProvable = 3n

/**
 * Returns an account with proofs of it and of some storage slots. These are CometBFT proof
 * operations (IAVL and multistore, ICS-23), not proofs of Ethereum tries (`cosmos-evm-rpc.md`
 * §2.4).
 */
export function proofOf(context: Context, owner: Uint8Array, { keys, at }: Wanted): PlainObject {
  const height = provableHeight(context, at, keys.length > 0)
  const { chain } = context.node
  const state = committedState(chain, height)
  const view = ethereumOf(context)
  const account = view.account(state, owner)
  const prove = (store: string, key: Uint8Array): string[] => proofTexts(context, state, { store, key })
  return {
    address: hexOf(owner),
    accountProof: prove('acc', concatBytes([Uint8Array.of(1), owner])),
    balance: quantityOf(account.wei),
    codeHash: hexOf(account.codeHash),
    nonce: quantityOf(account.nonce),
    storageHash: `0x${'00'.repeat(32)}`,
    storageProof: keys.map((key) => ({
      key,
      value: quantityOf(bigOf(view.slot(state, owner, storageKey(key)))),
      proof: prove('evm', concatBytes([Uint8Array.of(2), owner, storageKey(key)])),
    })),
  }
}

// The node reads 0 as its newest height and passes tags on as their negative numbers.
function provableHeight({ node }: Context, at: BlockRef, hasKeys: boolean): bigint {
  const { chain } = node
  const isExact = hasQuirk(node.settings, 'proof-by-number-only')
  if (isPending(at) && !hasQuirk(node.settings, 'pending-is-latest')) {
    throw invalidParams(
      'expected a mined block, received "pending", which has no app hash to prove against; request "latest"',
    )
  }
  if (at.kind === 'tag' && isExact) throw serverError(hasKeys ? tooEarly : negativeHeight)
  const height = at.kind === 'height' && at.height === 0n ? chain.height : heightOfRef(node, at)
  if (height > chain.height) throw serverError('header not found')
  if (isExact && hasKeys && height < firstProvable) throw serverError(tooEarly)
  return height
}

const tooEarly = 'proof queries at height <= 2 are not supported'
const negativeHeight = grpcText(
  'Unknown',
  'codespace sdk code 18: invalid request: cannot query with height < 0; ' + 'please provide a valid height',
)

function proofTexts(
  { world, node }: Context,
  state: AppState,
  { store, key }: { store: string; key: Uint8Array },
): string[] {
  const asked = { path: `store/${store}/key`, data: key, height: state.height, prove: true }
  const result = world.app.query(state, asked, storeQueryContext(node.chain))
  const operations: readonly ProofOp[] = result.proofOps ?? []
  return operations.length === 0 ? [''] : operations.map((operation) => hexOf(operation.data))
}
