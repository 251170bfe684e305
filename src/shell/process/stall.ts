/** Notices that a scenario waits for clients although its program, the only client, has ended. */
import type { Settings } from '../../settings/settings.ts'
import { needsClient } from '../../simulation/needsClient.ts'
import type { Running } from '../server.ts'

/** How often to look. Requests that the program left behind arrive between two looks. */
const lookMs = 250

export type Stall = { readonly noticed: Promise<'stalled'>; readonly clear: () => void }

/**
 * Returns a promise that resolves when only clients can move the scenario on, at two looks in a
 * row. It stays pending if `isWanted` is false.
 */
export function stallOf(running: Pick<Running, 'simulation'>, isWanted: boolean): Stall {
  let timer: NodeJS.Timeout | undefined
  const noticed = new Promise<'stalled'>((done) => {
    if (!isWanted) return
    let was = false
    timer = setInterval(() => {
      const is = needsClient(running.simulation())
      if (was && is) done('stalled')
      was = is
    }, lookMs)
  })
  return { noticed, clear: () => clearInterval(timer) }
}

/** Returns whether the operating system chooses all ports, so that other programs do not know them. */
export function hasFreePorts(settings: Settings): boolean {
  const { rpcLaddr, ethAddress, ethWsAddress, apiAddress, grpcAddress, controlAddress } = settings
  return [rpcLaddr, ethAddress, ethWsAddress, apiAddress, grpcAddress, controlAddress].every(
    (address) => address === '' || address.endsWith(':0'),
  )
}
