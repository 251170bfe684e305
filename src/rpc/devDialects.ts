/**
 * Development nodes whose names clash (`peers.md` §2.5): which one is meant is said by the setting
 * `dialect`, or for one client by the path of its URL.
 */
import type { Outcome } from '../chain/outcome.ts'
import type { Context } from './method.ts'
import type { Answer } from './dev/control.ts'

const devDialects = ['anvil', 'hardhat', 'ganache'] as const
export type DevDialect = (typeof devDialects)[number]

/** Returns the dialect that the path of a URL names, undefined for any other path. */
export function dialectOfPath(target: string): DevDialect | undefined {
  if (target === '/') return undefined
  const path = (target.split('?')[0] ?? '').replace(/\/$/, '')
  return devDialects.find((name) => path === `/${name}`)
}

/** Returns the dialect in which a call is to be understood and answered. */
export function dialectOf({ caller, node }: Context): DevDialect {
  return caller.dialect ?? devDialects.find((name) => name === node.settings.dialect) ?? 'anvil'
}

/** Returns an answer that differs by dialect. */
export function perDialect(answers: Readonly<Record<DevDialect, Answer>>): Answer {
  return (context: Context, outcome: Outcome) => {
    const answer = answers[dialectOf(context)]
    return typeof answer === 'function' ? answer(context, outcome) : answer
  }
}
