/**
 * Reads a Dockerfile as its builder does, as far as ours goes: words, stages, files, environment.
 */

export type Instruction = { readonly word: string; readonly text: string }

export type Stage = { readonly name: string; readonly instructions: readonly Instruction[] }

/** Returns the stages of a Dockerfile; a line that ends in a backslash goes on in the next. */
export function stagesOf(text: string): readonly Stage[] {
  const lines = text
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => !/^\s*(?:#|$)/.test(line))
  const stages: { name: string; instructions: Instruction[] }[] = []
  for (const line of lines) {
    const [, word = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (word === 'FROM') stages.push({ name: / AS (\w+)$/.exec(rest)?.[1] ?? '', instructions: [] })
    stages.at(-1)?.instructions.push({ word, text: rest })
  }
  return stages
}

/** Returns the texts of all instructions of one word. */
export function textsOf({ instructions }: Stage, word: string): readonly string[] {
  return instructions.filter((one) => one.word === word).map(({ text }) => text)
}

/** Returns what a container of the stage has in its environment. */
export function environmentOf(stage: Stage): Record<string, string> {
  return Object.fromEntries(
    textsOf(stage, 'ENV').map((text) => {
      const at = text.indexOf('=')
      return [text.slice(0, at), text.slice(at + 1)]
    }),
  )
}

export type Copy = {
  readonly from: string | undefined
  readonly sources: readonly string[]
  readonly to: string
}

/** Returns what a COPY copies. */
export function copyOf(text: string): Copy {
  const words = text.split(/\s+/)
  const from = /^--from=(.*)$/.exec(words[0] ?? '')?.[1]
  const paths = from === undefined ? words : words.slice(1)
  return { from, sources: paths.slice(0, -1), to: paths.at(-1) ?? '' }
}

/** Returns whether a path of the build context is kept from the builder by a `.dockerignore`. */
export function isIgnored(path: string, ignore: string): boolean {
  return ignore
    .split('\n')
    .filter((line) => line !== '')
    .some((pattern) => {
      const source = pattern.replace(/[.]/g, '\\.').replace(/\*/g, '[^/]*')
      return new RegExp(`^${source}(?:/|$)`).test(path)
    })
}
