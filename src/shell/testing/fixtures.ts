/**
 * For Vitest (3.2 or newer) and Playwright:
 * `const test = base.extend<ChainContext>(chainFixtures())` gives every test a session `chain` of
 * one server per worker. The type has to be written: neither runner can infer it.
 */
import { SimError } from '../../errors.ts'
import { checkArguments } from '../arguments.ts'
import { start, startOptions, type Server, type Session, type StartOptions } from '../start.ts'

type Use<Value> = (value: Value) => Promise<void>

/** The fixtures of a test. */
export type ChainContext = { readonly chain: Session }

/**
 * Vitest: `base.extend<ChainContext & { chainServer: Server }>`, and Playwright:
 * `base.extend<ChainContext, { chainServer: Server }>`, give tests the server too. `chain` needs
 * `chainServer`, which the runners read from its code; they type what it is given differently.
 */
export type ChainFixtures = {
  readonly chainServer: [(needs: object, use: Use<Server>) => Promise<void>, { scope: 'worker' }]
  readonly chain: (needs: object, use: Use<Session>) => Promise<void>
}

/** Returns the fixtures. Sockets open on free ports unless `ports` says otherwise. */
export function chainFixtures(options: StartOptions = {}): ChainFixtures {
  checkArguments('chainFixtures', { options: [options, startOptions] })
  return {
    chainServer: [
      // biome-ignore lint/correctness/noEmptyPattern: both runners read from this pattern that the fixture needs no other
      async ({}, use) => {
        await using server = await start({ ports: 'free', ...options })
        await use(server)
      },
      { scope: 'worker' },
    ],
    chain: async ({ chainServer }: Partial<Needs>, use: Use<Session>) => {
      if (chainServer === undefined) throw new NoServer()
      await using session = chainServer.session()
      await use(session)
    },
  }
}

type Needs = { readonly chainServer: Server }

/** The fixture `chain` was taken without `chainServer`. */
class NoServer extends SimError {
  constructor() {
    super('NO_SERVER', 'the fixture "chain" needs the fixture "chainServer"', {
      hint: 'Pass all that chainFixtures() returns to extend.',
    })
  }
}
