/**
 * A compiled scenario: what `scenario/compile.ts` makes of a file, with every name resolved and every
 * unit turned into a number. The file itself never reaches the core.
 */
import type { ChainCommand } from '../chain/command.ts'
import type { FaultRule } from '../fault/rule.ts'
import type { Fixtures } from './fixtures.ts'

export type Plan = {
  readonly name: string
  readonly description: string
  /** sha256 of the canonical form: the same file gives the same plan. */
  readonly digest: string
  readonly seed: string
  readonly fixtures: Fixtures
  readonly faults: readonly FaultRule[]
  readonly steps: readonly PlanStep[]
  readonly timeoutMs: bigint
  /** What a fault is that nobody noticed: of itself a warning. */
  readonly onMaskedFault?: 'ignore' | 'warn' | 'error'
  /** Whether a fault that hits no call makes a run fail. */
  readonly onUnused?: 'warn' | 'error'
}

/** A step waits for `when`, runs its actions in order, then its expectations must hold. */
export type PlanStep = {
  readonly id: string
  readonly when: Trigger
  readonly actions: readonly Action[]
  readonly expectations: readonly Expectation[]
  readonly timeoutMs: bigint
  readonly onFail: 'abort' | 'continue'
  /** Where it stands in the file, for reports: `scenarios/slow-node.json5:14`. */
  readonly source: string
}

/** `after` and `blocks` count from the end of the step before; `time` from the start of the scenario. */
export type Trigger =
  | { readonly type: 'immediately' }
  | { readonly type: 'height'; readonly height: bigint }
  | { readonly type: 'blocks'; readonly count: bigint }
  | { readonly type: 'after'; readonly ms: bigint }
  | { readonly type: 'time'; readonly ms: bigint }
  | { readonly type: 'request'; readonly side: 'comet' | 'eth' | undefined; readonly method: string; readonly nth: number }
  | { readonly type: 'signal'; readonly name: string }

export type Action =
  | { readonly type: 'command'; readonly command: ChainCommand }
  | { readonly type: 'useFault'; readonly name: string; readonly forMs: bigint | undefined; readonly forBlocks: bigint | undefined }
  | { readonly type: 'clearFault'; readonly name: string | undefined }
  | { readonly type: 'call'; readonly side: 'comet' | 'eth'; readonly method: string; readonly params: string }
  | { readonly type: 'log'; readonly text: string }

/** `withinMs` makes an expectation eventual: it must hold once before the time is over. */
export type Expectation = { readonly withinMs: bigint | undefined; readonly source: string } & (
  | { readonly type: 'height'; readonly min: bigint | undefined; readonly max: bigint | undefined }
  | { readonly type: 'balance'; readonly address: Uint8Array; readonly min: bigint | undefined; readonly max: bigint | undefined }
  | { readonly type: 'faultApplied'; readonly name: string; readonly min: number; readonly max: number | undefined }
  | { readonly type: 'calls'; readonly method: string; readonly min: number; readonly max: number | undefined }
  | { readonly type: 'rpc'; readonly side: 'comet' | 'eth'; readonly method: string; readonly params: string; readonly path: string; readonly equals: string }
)
