/**
 * Support for AVA: one server per test file, and a separate session for each test as
 * `t.context.chain`.
 */
import { checkArguments } from '../arguments.ts'
import { start, startOptions, type Server, type Session, type StartOptions } from '../start.ts'

/** The context of a test, with its session. */
export type ChainContext = { readonly chain: Session }

type Run = { readonly context: unknown }
type Hook = (body: (t: Run) => Promise<void>) => void
type Hooks = {
  readonly before: Hook
  readonly beforeEach: Hook
  readonly afterEach: { readonly always: Hook }
  readonly after: { readonly always: Hook }
}

/**
 * Registers hooks on AVA's `test`: `const test = anyTest as TestFn<ChainContext>; withChain(test)`.
 * The server listens on free ports unless `ports` is set.
 */
export function withChain(test: Hooks, options: StartOptions = {}): void {
  checkArguments('withChain', { options: [options, startOptions] })
  let server: Server | undefined
  test.before(async () => {
    server = await start({ ports: 'free', ...options })
  })
  test.beforeEach(async ({ context }) => {
    Object.assign(context as object, { chain: server?.session() })
  })
  test.afterEach.always(async ({ context }) => {
    await (context as Partial<ChainContext>).chain?.close()
  })
  test.after.always(async () => {
    await server?.close()
  })
}
