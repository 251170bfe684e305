/** The code blocks of the documentation, and what their fences say about running them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../helpers/packed.ts'

/**
 * A fenced block. Words after the language say how it is run; CONTRIBUTING.md lists them:
 * "```sh exit=3" is a command that ends with exit code 3.
 */
export type Block = {
  /** Page and line, like `docs/how-to/fork.md:12`. */
  readonly where: string
  readonly language: string
  /** `file=a.ts exit=3 fault` as `{ file: 'a.ts', exit: '3', fault: '' }`. */
  readonly tags: Readonly<Record<string, string>>
  readonly text: string
}

/** Returns the paths of the pages, relative to the root of the project. */
export function pages(): readonly string[] {
  const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
  return ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', ...inDocs.toSorted()]
}

/** Returns the text of a page. */
export function pageText(page: string): string {
  return readFileSync(join(root, page), 'utf8')
}

/** Returns the blocks of a page from top to bottom, those inside HTML comments too; lists may indent them. */
export function blocksOf(page: string): readonly Block[] {
  const text = pageText(page)
  return [...text.matchAll(/^( *)```(\w+)([^\n]*)\n([^]*?)^\1```$/gm)].map(
    ({ index, 1: indent = '', 2: language = '', 3: words = '', 4: body = '' }) => ({
      where: `${page}:${text.slice(0, index).split('\n').length}`,
      language,
      tags: Object.fromEntries(
        words
          .trim()
          .split(/\s+/)
          .filter((word) => word !== '')
          .map((word) => [word.split('=', 1)[0], word.slice(word.indexOf('=') + 1 || word.length)]),
      ),
      text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  )
}
