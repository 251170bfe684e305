/** An operator's overrides of the block values that the EVM sees. */
import type { StateEdit } from '../application.ts'
import type { AppState, EvmBlock } from '../state.ts'

/** Returns the state after the edits that set COINBASE and PREVRANDAO. */
export function withEvmBlock(state: AppState, edits: readonly StateEdit[]): AppState {
  return edits.reduce((before: AppState, edit): AppState => {
    const { coinbase: _, ...others } = before.evmBlock ?? {}
    if (edit.type === 'setCoinbase') {
      const evmBlock = edit.address === undefined ? others : { ...others, coinbase: edit.address }
      return { ...before, evmBlock }
    }
    if (edit.type !== 'setPrevRandao') return before
    return { ...before, evmBlock: { ...before.evmBlock, prevRandao: edit.value } }
  }, state)
}

/**
 * Returns the overrides for the block after the next one. PREVRANDAO is overridden for one block
 * only.
 */
export function evmBlockAfter({ coinbase }: EvmBlock): EvmBlock {
  return coinbase === undefined ? {} : { coinbase }
}
