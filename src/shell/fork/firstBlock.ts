import type { RequestInput } from '../../node/input.ts'
import { ownRequest } from '../ownRequest.ts'
import type { Instance } from '../ports.ts'

/** A request that calls no method, so that no call counter includes it. */
const question: RequestInput = { ...ownRequest, verb: 'GET' }

/**
 * Resolves when a forked chain has made its first block, or has failed to. The request that it
 * enters is answered after all earlier inputs.
 */
export function firstBlock({ enter }: Pick<Instance, 'enter'>): Promise<void> {
  return new Promise((done) => {
    enter(question, () => done())
  })
}
