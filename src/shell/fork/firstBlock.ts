import type { RequestInput } from '../../node/input.ts'
import type { Instance } from '../ports.ts'

/** No call of any method: nobody's counts know it. */
const question: RequestInput = {
  kind: 'request',
  side: 'eth',
  transport: 'http',
  verb: 'GET',
  target: '/',
  contentType: 'application/json',
  host: '127.0.0.1',
  origin: undefined,
  trusted: true,
  connection: undefined,
  body: '',
}

/**
 * Resolves when a forked chain has made its first block, or cannot: what is asked is answered after
 * what came before.
 */
export function firstBlock({ enter }: Pick<Instance, 'enter'>): Promise<void> {
  return new Promise((done) => {
    enter(question, () => done())
  })
}
