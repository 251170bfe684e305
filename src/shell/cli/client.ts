/** Calls the control API of a running chain. */
import { escaped } from '../../data/printable.ts'
import { Command } from 'commander'
import { SimError } from '../../errors.ts'
import { askControl, type ControlReply } from '../askControl.ts'

export type ClientOptions = {
  readonly url?: string
  readonly control?: string
  readonly session?: string
  readonly json?: boolean
}

const defaultControl = '127.0.0.1:8555'

/**
 * Returns a command with the options that every client command has. Its subcommands may have them too;
 * they count before and after the name of the subcommand, and the last one wins.
 */
export function asking(name: string): Command {
  return new Command(name)
    .enablePositionalOptions()
    .hook('preSubcommand', (command, subcommand) => {
      for (const [option, value] of Object.entries(command.opts<ClientOptions>())) {
        subcommand.setOptionValueWithSource(option, value, 'cli')
      }
    })
    .option('--control <host:port>', `Control port of the chain. (default: ${defaultControl}) [CHAINSTAGE_CONTROL]`)
    .option('--url <url>', 'Control port as a URL. [CHAINSTAGE_CONTROL_URL]')
    .option('--session <name>', 'Session to use instead of the main chain.')
    .option('--json', 'Print as JSON.')
}

/** Resolves with the API's response. Throws `NotReachable`, `CutOff` or `Refused`. */
export async function callControl(
  options: Omit<ClientOptions, 'json'>,
  verb: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<unknown> {
  const { session } = options
  const url = controlUrlOf(options)
  const below = session === undefined ? '' : `/s/${encodeURIComponent(session)}`
  const answer = await askControl(`${url.replace(/\/+$/, '')}${below}/api${path}`, {
    verb,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw isCut(cause) ? new CutOff(url, cause) : new NotReachable(url, cause)
  })
  const told = toldIn(answer, url)
  if (answer.status >= 200 && answer.status < 300) return told
  throw new Refused(told.error ?? { code: 'REFUSED', message: `HTTP ${answer.status}` })
}

type ToldError = { readonly error?: { readonly code: string; readonly message: string; readonly hint?: string } }

/** Returns the parsed body of a response. Throws `NotReachable` if it is no JSON, so that no chain sent it. */
function toldIn({ text }: ControlReply, url: string): ToldError {
  try {
    return JSON.parse(text) as ToldError
  } catch (cause) {
    throw new NotReachable(url, cause)
  }
}

/** Returns whether an error means that an open connection was closed. */
function isCut(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
}

/**
 * Returns the control URL. Flags take precedence over the environment, and URLs over ports. A URL where
 * a port belongs is taken as it is.
 */
function controlUrlOf({ url, control }: Pick<ClientOptions, 'url' | 'control'>): string {
  const { CHAINSTAGE_CONTROL_URL, CHAINSTAGE_CONTROL } = process.env
  if (url !== undefined) return url
  const address = control ?? CHAINSTAGE_CONTROL_URL ?? (CHAINSTAGE_CONTROL || defaultControl)
  return address.includes('://') ? address : `http://${address}`
}

/** Prints a response: as JSON with `--json`, otherwise as text. */
export function print(answer: unknown, { json }: Pick<ClientOptions, 'json'>, words: string): void {
  process.stdout.write(json === true ? `${JSON.stringify(answer)}\n` : `${escaped(words)}\n`)
}

/** Thrown when no chain responds at the control port. */
export class NotReachable extends SimError {
  constructor(url: string, cause: unknown) {
    super('NOT_REACHABLE', `no chain answers at ${url}`, {
      cause,
      hint: 'Start one with chainstage start, or name its control port with --control HOST:PORT.',
    })
  }
}

/** Thrown when the connection to a chain closes before the response, as when the chain restarts. */
export class CutOff extends SimError {
  constructor(url: string, cause: unknown) {
    super('CUT_OFF', `expected a response from the chain at ${url}, but it closed the connection`, {
      cause,
      hint: 'The chain restarts or ends, and the command may have had its effect: look with chainstage status.',
    })
  }
}

/** Thrown when the chain refuses a request; nothing has changed. */
export class Refused extends SimError {
  constructor({ code, message, hint }: { code: string; message: string; hint?: string }) {
    super(code, message, hint === undefined ? {} : { hint })
  }
}
