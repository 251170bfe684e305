/** Tools that some code blocks need, which are no dependencies: `.ci/run` installs them. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Returns whether a program is on the path. */
export const onPath = (name: string): boolean =>
  (process.env['PATH'] ?? '').split(':').some((one) => existsSync(join(one, name)))

/** The folder that `npm install --prefix` made for Hardhat 3; see `.ci/run`. */
export const hardhat3 = join(process.env['HARDHAT3'] ?? '', 'node_modules')

/** The folder of a Node that is newer than the oldest one that chainstage supports; undefined without NODE24. */
export const newerNode = process.env['NODE24'] === undefined ? undefined : dirname(process.env['NODE24'])

/** Whether a tool that `needs=` names is here. */
export const tools: Readonly<Record<string, boolean>> = {
  bun: onPath('bun'),
  deno: onPath('deno'),
  forge: onPath('forge') && onPath('cast'),
  hardhat3: process.env['HARDHAT3'] !== undefined && existsSync(join(hardhat3, 'hardhat/package.json')),
  nats: spawnSync('nats-server', ['--version']).status === 0,
  python: onPath('pytest') && spawnSync('python', ['-c', 'import web3']).status === 0,
  node22: newerNode !== undefined && existsSync(join(newerNode, 'node')),
}

/** Returns the tools that a block needs: `needs=hardhat3,node22` as `['hardhat3', 'node22']`. */
export function neededTools(tags: Readonly<Record<string, string>>): readonly string[] {
  return (tags['needs'] ?? '').split(',').filter((name) => name !== '')
}

/** Returns the needed tools that are not here. */
export function missingTools(tags: Readonly<Record<string, string>>): readonly string[] {
  return neededTools(tags).filter((name) => tools[name] !== true)
}
