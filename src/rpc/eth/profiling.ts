/** The part of `debug` that looks into the process (`cosmos-evm-rpc.md` §2.10). */
import type { Context } from '../method.ts'
import { serverError } from './errors.ts'

/** Throws unless `enable-profiling` lets debug methods look into this process. */
export function checkProfiling({ node }: Context): void {
  if (!node.settings.ethEnableProfiling) throw serverError('profiling disabled in the debug namespace')
}
