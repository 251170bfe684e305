/** Anvil in a process of its own, where its package is installed. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unusedPort } from '../helpers/unusedPorts.ts'
import { ask, type Node } from './node.ts'

const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
const packaged = new URL(`../../../node_modules/@foundry-rs/anvil-${platform}/bin/anvil`, import.meta.url)
const binary = process.env['ANVIL'] ?? fileURLToPath(packaged)
const flags = ['--host', '127.0.0.1', '--prune-history', '--gas-limit', '300000000', '--silent']

/** Starts Anvil on a free port and waits until it answers; undefined where it is not installed. */
export async function startAnvil(more: readonly string[] = []): Promise<Node | undefined> {
  if (!existsSync(binary)) return undefined
  const port = await unusedPort()
  const home = mkdtempSync(join(tmpdir(), 'chainstage-anvil-'))
  const child = spawn(binary, [...flags, ...more, '--port', port], {
    env: { HOME: home },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 2000; tries++) {
    const isUp = await ask(url, 'eth_chainId').then(
      () => true,
      () => false,
    )
    if (isUp)
      return {
        url,
        process: child,
        stop: () => {
          child.kill('SIGTERM')
        },
      }
    await new Promise((done) => {
      setTimeout(done, 5)
    })
  }
  child.kill('SIGTERM')
  throw new Error('Anvil does not answer')
}
