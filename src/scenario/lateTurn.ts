/**
 * What makes actions of texts while a scenario runs. The schema that it takes is heavy, and whoever
 * compiled a plan has loaded it: so it is handed in then, and a server without a scenario does
 * without.
 */
import { assert } from '../errors.ts'
import type { Action } from '../node/planAction.ts'
import type { Known } from './expression.ts'

type Making = (json: string, names: Known) => Action

let making: Making | undefined

/** Says how actions are made of texts from now on. */
export function makesActions(make: Making): void {
  making = make
}

/** Returns the action that a JSON text with expressions stands for now. Throws what refuses it. */
export function actionNow(json: string, names: Known): Action {
  assert(making !== undefined, 'who compiles a plan has loaded the schema of actions')
  return making(json, names)
}
