/** Speaks to the control API of a chain that runs. */
import { Command, Option } from 'commander'
import { SimError } from '../../errors.ts'

export type ClientOptions = {
  readonly url: string; readonly session?: string; readonly json?: boolean
}

const defaultUrl = 'http://127.0.0.1:8555'

/** Returns a command with the options of all that speak to a running chain. */
export function asking(name: string): Command {
  return new Command(name)
    .addOption(
      new Option(
        '--url <url>', 'the control port of the chain',
      ).env('CHAINSTAGE_CONTROL_URL').default(defaultUrl)
    )
    .option('--session <name>', 'a session instead of the main chain')
    .option('--json', 'print as JSON')
}

/** Resolves with what the API answers. Throws `NotReachable` or `Refused`. */
export async function callControl(
  { url, session }: Pick<ClientOptions, 'url' | 'session'>, verb: 'GET' | 'POST' | 'DELETE',
  path: string, body?: object,
): Promise<unknown> {
  const below = session === undefined ? '' : `/s/${session}`
  const answer = await fetch(`${url.replace(/\/+$/, '')}${below}/api${path}`, {
    method: verb, ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => { throw new NotReachable(url, cause) })
  const told = await answer.json().catch(
    (cause: unknown) => { throw new NotReachable(url, cause) }
  ) as
    { readonly error?: { readonly code: string; readonly message: string; readonly hint?: string } }
  if (answer.ok) return told
  throw new Refused(told.error ?? { code: 'REFUSED', message: `HTTP ${answer.status}` })
}

/** Prints an answer: as JSON when that was asked for, otherwise in words. */
export function print(answer: unknown, { json }: Pick<ClientOptions, 'json'>, words: string): void {
  process.stdout.write(json === true ? `${JSON.stringify(answer)}\n` : `${words}\n`)
}

/** No chain answers at a control port. */
export class NotReachable extends SimError {
  constructor(url: string, cause: unknown) {
    super('NOT_REACHABLE', `no chain answers at ${url}`, {
      cause, hint: 'Start one with chainstage start, or give its control port with --url.',
    })
  }
}

/** The chain did not do what it was asked; nothing has changed. */
export class Refused extends SimError {
  constructor({ code, message, hint }: { code: string; message: string; hint?: string }) {
    super(code, message, hint === undefined ? {} : { hint })
  }
}
