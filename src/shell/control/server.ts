/** The server of the control port. Loads koa and the API on the first request. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { SimError } from '../../errors.ts'
import type { Settings } from '../../settings/settings.ts'
import { closeOnlySilent } from '../afterReading.ts'
import { hostName } from '../transport/hosts.ts'
import { lazily, notLoaded } from '../lazily.ts'
import type { ControlledProcess } from './controlled.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

const loadApp = (controlled: ControlledProcess, settings: () => Settings): Promise<Handler> =>
  import('./app.ts').then(({ createApp }) => createApp(controlled, settings))

/**
 * Returns the server of the control port, which does not listen yet. A request is refused and an
 * error logged if `load` fails.
 */
export function createControl(controlled: ControlledProcess, settings: () => Settings, load = loadApp): Server {
  const app = lazily(() => load(controlled, settings))
  const server = createServer((request, response) => {
    void app().then(
      (handle) => handle(request, response),
      (error: unknown) => {
        controlled.log('error', notLoaded('the control port', error))
        response.writeHead(500).end()
      },
    )
  })
  closeOnlySilent(server)
  return server
}

/**
 * Throws `ControlExposed` if other machines can reach the control address and `--expose-control` is
 * not set. Anyone who reaches the control port controls the chain.
 */
export function assertLoopback({ controlAddress: address, controlExposed }: Settings): void {
  if (controlExposed) return
  const host = hostName(address.replace(/^(?:tcp|http):\/\//, ''))
  if (address.startsWith('unix://') || /^(?:|localhost|::1|127\.[\d.]+)$/.test(host)) return
  throw new ControlExposed(address)
}

/** Thrown for a control address beyond loopback. */
export class ControlExposed extends SimError {
  constructor(address: string) {
    super('BAD_ADDRESS', `--control: expected an address of this machine, received ${address}`, {
      hint: 'Use --control 127.0.0.1:8555 and forward the port over SSH, or allow other machines with --expose-control.',
    })
  }
}
