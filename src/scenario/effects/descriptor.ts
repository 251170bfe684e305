/** The description of one fault effect of the format. */
import type { z } from 'zod'
import type { FaultEffect } from '../../fault/effect.ts'

/**
 * The order in which compiled effects are listed. Delays and views combine with all others; of the
 * others the first wins.
 */
export const effectStages = ['delay', 'view', 'status', 'result', 'bytes', 'connection'] as const

/** Everything that the format knows about one effect. */
export type EffectDescriptor<Shape extends z.ZodType> = {
  readonly schema: Shape
  /** Descriptions of the effect and of the keys inside it, for editors (`keys/chainKeys.ts`). */
  readonly keys: Readonly<Record<string, string>>
  readonly stage: (typeof effectStages)[number]
  /**
   * Returns the effects as plain data, from the value that the schema returns. `all` contains the
   * values of all effects of the fault.
   */
  readonly compile: (value: z.output<Shape>, all: Readonly<Record<string, unknown>>) => readonly FaultEffect[]
}

/** Returns the descriptor unchanged; `compile` gets the type of the schema's value. */
export function describedEffect<Shape extends z.ZodType>(one: EffectDescriptor<Shape>): EffectDescriptor<Shape> {
  return one
}
