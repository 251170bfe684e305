/**
 * Checkpoints that outlive the process: one state file each, in the folder of the setting
 * `checkpoints`.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { SimError, thrownText } from '../errors.ts'
import { isPlainName, plainNameHint } from './plainName.ts'
import type { Instance } from './ports.ts'

const ending = '.state'

/** `problem` is the reason why a file cannot be loaded. */
export type SavedCheckpoint =
  | {
      readonly name: string
      readonly chainId: string
      readonly height: number
      readonly version: string
    }
  | { readonly name: string; readonly problem: string }

/**
 * Saves the whole node under a name, replaces an older checkpoint of that name, and resolves with
 * the path. Throws `BadName`.
 */
export async function saveCheckpoint(instance: Instance, name: string) {
  const path = pathOf(instance, name)
  const simulation = instance.simulation()
  const { writeState } = await import('./stateFile.ts')
  await writeState(path, simulation)
  return { name, path, height: Number(simulation.node.chain.height) }
}

/**
 * Restores a saved checkpoint, any number of times. Throws `BadName`, `BadState` or
 * `ForeignState`.
 */
export async function loadCheckpoint(instance: Instance, name: string) {
  const { readState } = await import('./stateFile.ts')
  const saved = await readState(pathOf(instance, name))
  if (saved === undefined) {
    const names = (await savedCheckpoints(instance)).map((one) => one.name)
    throw new NoCheckpoint(name, names)
  }
  instance.become(saved)
  return { name, height: Number(instance.simulation().node.chain.height) }
}

/** Resolves with the saved checkpoints by name. */
export async function savedCheckpoints(instance: Instance): Promise<readonly SavedCheckpoint[]> {
  const folder = folderOf(instance)
  const files = await readdir(folder).catch(() => [])
  const names = files
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort()
  const { stateHeaderAt } = await import('./stateFile.ts')
  return Promise.all(
    names.map(async (name) => {
      try {
        const header = await stateHeaderAt(join(folder, `${name}${ending}`))
        if (header === undefined) throw new NoCheckpoint(name, [])
        const { chainId, height, version } = header
        return { name, chainId, height: Number(height), version }
      } catch (error) {
        return { name, problem: thrownText(error) }
      }
    }),
  )
}

function folderOf(instance: Instance): string {
  return instance.simulation().node.settings.checkpoints
}

function pathOf(instance: Instance, name: string): string {
  if (!isPlainName(name)) throw new BadName(name)
  return join(folderOf(instance), `${name}${ending}`)
}

/** The name of a checkpoint is invalid. */
export class BadName extends SimError {
  constructor(name: string) {
    super('BAD_NAME', `expected a name like before-upgrade, received ${JSON.stringify(name)}`, {
      hint: plainNameHint,
    })
  }
}

/** No checkpoint has the name. */
export class NoCheckpoint extends SimError {
  constructor(name: string, names: readonly string[]) {
    super('NO_CHECKPOINT', `there is no saved checkpoint ${name}`, {
      hint:
        names.length === 0
          ? 'Save one first: chainstage checkpoint save NAME.'
          : `Saved checkpoints: ${names.join(', ')}.`,
    })
  }
}
