/** The scenario of a chain that neither an argument nor a flag defines. */
import { existsSync } from 'node:fs'
import { SimError } from '../../errors.ts'

/** Flags that define a chain, by their names in Commander. */
export type DefinesChain = {
  readonly profile?: string
  readonly home?: string
  readonly fork?: readonly string[]
}

/** Returns whether neither flags nor the environment define the chain. */
export function isBare({ profile, home, fork }: DefinesChain): boolean {
  const { NODE_HOME, CHAINSTAGE_PROFILE } = process.env
  return (profile ?? home ?? fork ?? NODE_HOME ?? CHAINSTAGE_PROFILE) === undefined
}

/**
 * Resolves with the scenario of the working folder: `chainstage.json5`, `scenarios/local.json5`, or the only one
 * in `scenarios/`. Undefined if there is none. Throws `SeveralScenarios`.
 */
export async function usualScenario(): Promise<string | undefined> {
  const usual = ['chainstage.json5', 'scenarios/local.json5'].find((path) => existsSync(path))
  if (usual !== undefined || !existsSync('scenarios')) return usual
  const { filesOf } = await import('../glob.ts')
  const found = await filesOf(['scenarios/*.{json5,jsonc,ts,js,mjs,mts}']).catch(() => [])
  if (found.length > 1) throw new SeveralScenarios(found)
  return found[0]
}

/** Thrown when there are several scenarios and none is named. */
export class SeveralScenarios extends SimError {
  constructor(found: readonly string[]) {
    super('NO_SCENARIO', `scenarios/ has ${found.length} scenarios and no local.json5`, {
      hint: `Name one, like ${found[0] ?? ''}. Or rename one to chainstage.json5.`,
    })
  }
}
