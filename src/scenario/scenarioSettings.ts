/** Converts the `chain` and `clock` sections of a scenario to settings. */
import type { Settings } from '../settings/settings.ts'
import type { ScenarioFile } from './schema.ts'

function validatorsOf(validators: NonNullable<ScenarioFile['chain']>['validators']): Partial<Settings> {
  if (validators === undefined || typeof validators === 'number') {
    return { ...(validators !== undefined && { validators }) }
  }
  return {
    validators: validators.length,
    validatorNames: validators.map(({ name }) => name),
    validatorPowers: validators.map(({ power }) => String(power ?? 1000)),
  }
}

type Clock = NonNullable<ScenarioFile['clock']>

/** Returns the settings for a clock mode; explicit keys override them. */
function modeOf(mode: Clock['mode'], blockTime: string | undefined): Partial<Settings> {
  switch (mode) {
    case undefined:
      return {}
    case 'manual':
      return { blocks: 'manual' }
    case 'instant':
      return { pace: 'instant' }
    case 'interval':
      return {
        blocks: 'interval',
        ...(blockTime !== undefined && { interval: blockTime }),
        lazy: true,
      }
  }
}

/** Returns the settings of a scenario. */
export function settingsOf(file: ScenarioFile, seed: string): Partial<Settings> {
  const { app, mempool, cosmosChainId, validators, ...chain } = file.chain ?? {}
  const { mode, speed, ...clock } = file.clock ?? {}
  const clockSpeed = speed === undefined ? undefined : Number(speed.slice(1))
  const mempoolMaxTxs = mempool === undefined ? undefined : mempool === 'evm' ? 0 : -1
  const given = {
    ...modeOf(mode, clock.blockTime),
    chainId: cosmosChainId,
    ...chain,
    ...validatorsOf(validators),
    mempoolMaxTxs,
    clockSpeed,
    ...(app === undefined ? {} : { application: app }),
    ...file.app,
    ...clock,
    seed,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
