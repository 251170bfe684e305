import { z } from 'zod'

/** An action with late expressions, as JSON text. */
export type LateAction = { readonly json: string }

const made = new WeakSet<object>()

/**
 * Returns the mark of a late action. Files cannot contain one, because marks are recognized by
 * identity.
 */
export function lateAction(json: string): LateAction {
  const one = { json }
  made.add(one)
  return one
}

export const lateMark = z.custom<LateAction>((value) => typeof value === 'object' && value !== null && made.has(value))
