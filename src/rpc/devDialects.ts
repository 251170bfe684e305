/**
 * Development nodes that give different meanings to the same method names (`peers.md` §2.5). The
 * setting `dialect` chooses one, or the path of the URL does for one client.
 */
import type { Outcome } from '../chain/outcome.ts'
import type { Context } from './method.ts'
import type { Answer } from './dev/control.ts'
import type { Settings } from '../settings/settings.ts'

const devDialects = ['anvil', 'hardhat', 'ganache'] as const
export type DevDialect = (typeof devDialects)[number]

/** Returns the dialect that the path of a URL names, or undefined for any other path. */
export function dialectOfPath(target: string): DevDialect | undefined {
  // The usual targets are told apart at once.
  if (target === '/' || !/^\/(?:anvil|hardhat|ganache)/.test(target)) return undefined
  const path = (target.split('?')[0] ?? '').replace(/\/$/, '')
  return devDialects.find((name) => path === `/${name}`)
}

/**
 * Returns the dialect for a client that names its tool, with `dialect: auto` and development
 * methods. Hardhat needs its own: without an estimate, it expects a send that fails to be refused.
 */
export function dialectOfTool(tool: 'hardhat' | undefined, { dialect, ethApi }: Settings): DevDialect | undefined {
  return dialect === 'auto' && ethApi.includes('dev') ? tool : undefined
}

/** Returns the dialect of a call. */
export function dialectOf({ caller, node }: Context): DevDialect {
  return caller.dialect ?? devDialects.find((name) => name === node.settings.dialect) ?? 'anvil'
}

/** Returns an answer that depends on the dialect of the call. */
export function perDialect(answers: Readonly<Record<DevDialect, Answer>>): Answer {
  return (context: Context, outcome: Outcome, params: readonly unknown[]) => {
    const answer = answers[dialectOf(context)]
    return typeof answer === 'function' ? answer(context, outcome, params) : answer
  }
}
