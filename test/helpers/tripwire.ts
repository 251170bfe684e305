/**
 * Makes the clock, entropy, timers, the environment and the network throw while `simulate` runs.
 * `tidy.test.ts` finds such words in our own code; this finds them in packages as well.
 */
import { simulate } from '../../src/simulation.ts'

let isArmed = false
let touched: string[] = []

/** As `simulate`. Throws if it used something that differs between two runs, even if it caught that. */
export const simulateWatched: typeof simulate = (world, simulation, input) =>
  watched(() => simulate(world, simulation, input))

/** Returns what `work` does. Throws if it touched a wire. */
export function watched<Result>(work: () => Result): Result {
  if (isArmed) return work()
  touched = []
  isArmed = true
  try {
    return work()
  } finally {
    isArmed = false
    assertUntouched()
  }
}

function assertUntouched(): void {
  if (touched.length > 0) throw new Error(`simulate must not use ${[...new Set(touched)].join(', ')}`)
}

function touch(what: string): void {
  if (!isArmed || isInterpreter()) return
  touched.push(what)
  throw new Error(`${what} is not for simulate`)
}

/**
 * The interpreter of tracers stops a script that runs for too long, and reads the clock to seed a
 * `Math.random` that scripts do not have (`rpc/eth/scripts.test.ts`).
 */
function isInterpreter(): boolean {
  return /[/](?:shell[/]scripts[/]quickjs[.]|@jitl[/]quickjs-)/.test(new Error().stack ?? '')
}

type Callable = (...given: unknown[]) => unknown

/** Puts a wire around a function of an object; the functions beside it stay its own. */
function wire(owner: object, name: string, spelled = name): void {
  const original = Reflect.get(owner, name) as Callable
  const wired = new Proxy(original, {
    apply: (target, self, given) => {
      touch(spelled)
      return Reflect.apply(target, self, given)
    },
  })
  Object.defineProperty(owner, name, { value: wired, configurable: true, writable: true })
}

wire(Math, 'random', 'Math.random')
wire(Date, 'now', 'Date.now')
wire(performance, 'now', 'performance.now')
wire(crypto, 'getRandomValues', 'crypto.getRandomValues')
wire(crypto, 'randomUUID', 'crypto.randomUUID')
wire(process.hrtime, 'bigint', 'process.hrtime.bigint')
wire(process, 'hrtime', 'process.hrtime')
wire(process, 'nextTick', 'process.nextTick')
for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'fetch']) wire(globalThis, name)
// A moment that is given is no clock, but the time zone of the machine is.
for (const name of ['getTimezoneOffset', 'getHours', 'toString', 'toLocaleString']) {
  wire(Date.prototype, name, `Date.prototype.${name}`)
}

const OriginalDate = Date
globalThis.Date = new Proxy(OriginalDate, {
  construct: (target, given, newTarget) => {
    if (given.length === 0) touch('new Date()')
    return Reflect.construct(target, given, newTarget) as object
  },
  apply: (target) => {
    touch('Date()')
    return Reflect.apply(target, undefined, []) as string
  },
})

Object.defineProperty(process, 'env', {
  configurable: true,
  writable: true,
  value: new Proxy(process.env, {
    get: (env, name) => {
      touch(`process.env.${String(name)}`)
      return Reflect.get(env, name) as unknown
    },
    has: (env, name) => {
      touch(`process.env.${String(name)}`)
      return Reflect.has(env, name)
    },
    ownKeys: (env) => {
      touch('process.env')
      return Reflect.ownKeys(env)
    },
  }),
})
