/** What an operator lets the EVM see of the next blocks in place of what consensus says. */
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

/** Returns what the block after the next one is to see: a random number is for one block. */
export function evmBlockAfter({ coinbase }: EvmBlock): EvmBlock {
  return coinbase === undefined ? {} : { coinbase }
}
