/**
 * Support for Vitest (3.2 or newer) and Playwright.
 * `const test = base.extend<ChainContext>(chainFixtures())` gives each test a session `chain` on a
 * server shared by its worker. The type argument is required: neither runner can infer it.
 */
import { SimError } from '../../errors.ts'
import { checkArguments } from '../arguments.ts'
import { start, startOptions, type Server, type Session, type StartOptions } from '../start.ts'

type Use<Value> = (value: Value) => Promise<void>

/** The fixtures of a test: its session. */
export type ChainContext = { readonly chain: Session }

/**
 * The fixtures, including the server. To use the server in tests, write
 * `base.extend<ChainContext & { chainServer: Server }>` in Vitest and
 * `base.extend<ChainContext, { chainServer: Server }>` in Playwright.
 * The type of `needs` is `object`, because the two runners type fixtures differently. They find out
 * that `chain` needs `chainServer` by reading its code.
 */
export type ChainFixtures = {
  readonly chainServer: [(needs: object, use: Use<Server>) => Promise<void>, { scope: 'worker' }]
  readonly chain: (needs: object, use: Use<Session>) => Promise<void>
}

// Not `await using`: the realms of Vitest's pools vmThreads and vmForks have no Symbol.asyncDispose in Node 20.
/** Returns the fixtures. The server listens on free ports unless `ports` is set. */
export function chainFixtures(options: StartOptions = {}): ChainFixtures {
  checkArguments('chainFixtures', { options: [options, startOptions] })
  return {
    chainServer: [
      // biome-ignore lint/correctness/noEmptyPattern: both runners read from this pattern that the fixture needs no other
      async ({}, use) => {
        const server = await start({ ports: 'free', ...options })
        await use(server).finally(server.close)
      },
      { scope: 'worker' },
    ],
    chain: async ({ chainServer }: Partial<Needs>, use: Use<Session>) => {
      if (chainServer === undefined) throw new NoServer()
      const session = chainServer.session()
      await use(session).finally(session.close)
    },
  }
}

type Needs = { readonly chainServer: Server }

/** Thrown if the fixture `chain` is used without `chainServer`. */
class NoServer extends SimError {
  constructor() {
    super('NO_SERVER', 'the fixture "chain" needs the fixture "chainServer"', {
      hint: 'Pass all that chainFixtures() returns to extend.',
    })
  }
}
