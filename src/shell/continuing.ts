/** Continues a saved chain with settings and a scenario that may have changed while it was saved. */
import type { Node } from '../node/node.ts'
import type { Plan } from '../plan/plan.ts'
import { genesisChange, genesisNames, isOfValidators, ownGenesis, settingLabel } from '../settings/changes.ts'
import type { Settings } from '../settings/settings.ts'
import { changeWhileSaved } from '../simulation/reloadChange.ts'
import type { Simulation } from '../simulation/turn.ts'
import type { Instance } from './ports.ts'
import type { Sinks } from './queue.ts'

/** `noted` are given settings of the genesis, in place of which a saved chain has its own. */
export type Continued = { readonly settings: Settings; readonly noted: Partial<Settings> }

/** Returns the settings to begin with, so that a saved chain finds its own genesis (`ownGenesis`). */
export function settingsToContinue(given: Settings, saved: Node | undefined): Continued {
  if (saved === undefined) return { settings: given, noted: {} }
  const settings = { ...given, ...ownGenesis(saved, given) }
  return { settings, noted: genesisChange(settings, given) }
}

type Given = {
  readonly state: Simulation
  readonly settings: Settings
  readonly plan: Plan
  readonly log: Sinks['log']
}

/**
 * Applies to a saved chain what it has missed, as a reload does: new accounts, balances, transactions
 * and validators. Logs what it cannot apply. Resolves when it is done.
 */
export async function takeInMissed(main: Instance, { state, settings, plan, log }: Given): Promise<void> {
  const { node, plan: before } = state
  const was = { ...node.settings, ...node.noted }
  const { actions, why, hasFixtures } = changeWhileSaved({ before, next: plan, was, now: settings })
  const { noted } = settingsToContinue(settings, node)
  const own = genesisNames.filter((name) => name in noted && !isOfValidators(name)).map(settingLabel)
  const left = [...own, ...why]
  if (left.length > 0) log('warn', `the saved chain keeps its genesis, so these do not apply: ${left.join(', ')}`)
  if (actions.length === 0 && !hasFixtures) return
  const { fixtures } = before
  const operated = await main.operate('reload', { type: 'loadPlan', plan, actions, fixtures }).settled
  if (operated.kind === 'done') return log('info', 'applied the changes that were made while the chain was saved')
  const reason = operated.kind === 'bug' ? `see incident ${operated.incident}` : operated.message
  log('warn', `the changes that were made while the chain was saved do not apply: ${reason}`)
}
