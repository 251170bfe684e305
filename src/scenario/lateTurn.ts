/**
 * Creates late actions while a scenario runs. This needs the large action schema, which the
 * compiler of plans has already loaded and registers here. A server without a scenario never loads
 * it.
 */
import { assert } from '../errors.ts'
import type { Action } from '../plan/action.ts'
import type { Known } from './expression.ts'

type Making = (json: string, names: Known) => Action

let making: Making | undefined

/** Registers the function that creates late actions. */
export function makesActions(make: Making): void {
  making = make
}

/**
 * Returns the action of a JSON text with its expressions evaluated now. Throws the error of an
 * invalid action.
 */
export function actionNow(json: string, names: Known): Action {
  assert(making !== undefined, 'the schema of actions must be loaded before a plan is compiled')
  return making(json, names)
}
