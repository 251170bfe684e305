import { z } from 'zod'

/** The JSON text of an action with expressions in it. */
export type LateAction = { readonly json: string }

const made = new WeakSet<object>()

/** Returns what stands for an action until its turn; a file cannot say it. */
export function lateAction(json: string): LateAction {
  const one = { json }
  made.add(one)
  return one
}

export const lateMark = z.custom<LateAction>((value) => typeof value === 'object' && value !== null && made.has(value))
