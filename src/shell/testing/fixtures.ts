/**
 * For Vitest (3.2 or newer) and Playwright: `const test = base.extend(chainFixtures())` gives every
 * test a session `chain` of one server per worker.
 */
import { start, type Server, type Session, type StartOptions } from '../start.ts'

type Use<Value> = (value: Value) => Promise<void>

export type ChainFixtures = {
  readonly chainServer: [
    ({}: object, use: Use<Server>) => Promise<void>, { scope: 'worker' },
  ]
  readonly chain: (needs: { readonly chainServer: Server }, use: Use<Session>) => Promise<void>
}

/** Returns the fixtures; sockets are open on any free ports unless `ports` says otherwise. */
export function chainFixtures(options: StartOptions = {}): ChainFixtures {
  return {
    // Both runners read from the pattern of the first parameter what a fixture needs.
    chainServer: [async ({}, use) => {
      await using server = await start({ ports: 'free', ...options })
      await use(server)
    }, { scope: 'worker' }],
    chain: async ({ chainServer }, use) => {
      await using session = chainServer.session()
      await use(session)
    },
  }
}
