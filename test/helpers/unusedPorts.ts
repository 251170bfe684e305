/**
 * Ports for programs that must be told one before they start. They lie below those that Linux, macOS and Windows give
 * to outgoing connections and to listeners on port 0, so that no connection of another test takes one meanwhile.
 */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

const [first, end] = [10_000, 32_000]

/** Resolves with ports on loopback that nobody listens on, each given once in this process. */
export async function unusedPorts(count: number): Promise<readonly number[]> {
  const ports: number[] = []
  for (let tries = 0; ports.length < count && tries < 1000; tries += 1) {
    const port = randomInt(first, end)
    if (!given.has(port) && (await isUnused(port))) ports.push(port)
    given.add(port)
  }
  if (ports.length < count) throw new Error(`only ${ports.length} of ${count} ports are unused`)
  return ports
}

/** Resolves with one of them, as a flag has it. */
export const unusedPort = async (): Promise<string> => String((await unusedPorts(1))[0])

const given = new Set<number>()

async function isUnused(port: number): Promise<boolean> {
  const server = createServer()
  const listening = once(server.listen(port, '127.0.0.1'), 'listening')
  const isOpen = await listening.then(
    () => true,
    () => false,
  )
  if (isOpen) await once(server.close(), 'close')
  return isOpen
}
