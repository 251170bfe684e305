/** Commands and environment of services in a compose file, or of containers in a manifest, that are written on one line each. */
import { readFileSync } from 'node:fs'

/** Returns the lists of words after a key, like `command: ["start"]`. */
export function commandsIn(path: string, key: 'command' | 'args'): readonly (readonly string[])[] {
  const lines = readFileSync(path, 'utf8').matchAll(new RegExp(`^ +${key}: (\\[.*\\])$`, 'gm'))
  return [...lines].map(([, list = '']) => JSON.parse(list) as string[])
}

/** Returns the variables of chainstage that a compose file sets. */
export function variablesIn(path: string): Readonly<Record<string, string>> {
  const lines = readFileSync(path, 'utf8').matchAll(/^ +(CHAINSTAGE_\w+): (.*)$/gm)
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]))
}
