/**
 * Reads a JSON5 file: its value, and positions from the syntax tree. Syntax that JSON5 allows but
 * scenarios do not is rejected here, before any value is read (`mocks.md` §3.7).
 */
import { evaluate, parse as parseTree } from '@humanwhocodes/momoa'
import type { AnyNode as TreeNode, DocumentNode } from '@humanwhocodes/momoa'
import type { Diagnostic } from './diagnostic.ts'

export type Path = readonly (string | number)[]
export type LineColumn = { readonly line: number; readonly column: number }

/**
 * `placeOf` returns the position of the value at a path, or of its key. If the path does not exist,
 * it returns the nearest position.
 */
export type ScenarioSource = {
  readonly value: unknown
  readonly placeOf: (path: Path, what?: 'value' | 'key') => LineColumn
  readonly problems: readonly Diagnostic[]
}

/** Returns the value of a file with its positions; `problems` lists syntax errors. */
export function readSource(file: string, text: string): ScenarioSource {
  const start: LineColumn = { line: 1, column: 1 }
  if (text.trim() === '') {
    const problem = {
      file,
      ...start,
      code: 'SC1000',
      message: 'the file is empty',
      hint: "Start with { chainstage: 1, name: '…' }.",
    }
    return { value: undefined, problems: [problem], placeOf: () => start }
  }
  // Other encodings, such as UTF-16 and Latin-1, are read as these characters.
  if (/[\0\ufffd]/.test(text)) {
    return { value: undefined, problems: [{ ...notUtf8, file, ...start }], placeOf: () => start }
  }
  try {
    const tree = parseTree(text, { mode: 'json5', ranges: false })
    const problems = tokenProblems(tree.body, file)
    const value: unknown = evaluate(tree)
    return { value, problems, placeOf: (path, what = 'value') => placeIn(tree, path, what) }
  } catch (error) {
    return { value: undefined, problems: [syntaxProblem(file, error)], placeOf: () => start }
  }
}

const notUtf8 = {
  code: 'SC1000',
  message: 'the file is not text in UTF-8',
  hint: 'Save it as UTF-8. Write a replacement character as \\ufffd.',
}

/** Tokens of the parser, as they stand in a file. */
const tokens: Readonly<Record<string, string>> = {
  LBrace: "'{'",
  RBrace: "'}'",
  LBracket: "'['",
  RBracket: "']'",
  Colon: "':'",
  Comma: "','",
  Identifier: 'word',
}

function syntaxProblem(file: string, error: unknown): Diagnostic {
  const thrown = error as {
    message?: string
    lineNumber?: number
    columnNumber?: number
    line?: number
    column?: number
  }
  const message = (thrown.message ?? 'unreadable')
    .replace(/ at \d+:\d+$/, '')
    .replace(/ \(\d+:\d+\)\.?$/, '')
    .replace(
      /^Unexpected token (\w+) found/,
      (_, token: string) => `unexpected ${tokens[token] ?? token.toLowerCase()}`,
    )
    .replace(/^Unexpected (.*) found/, 'unexpected $1')
    .replace(/\.$/, '')
  return {
    file,
    code: 'SC1000',
    message: `invalid JSON5: ${message}`,
    line: thrown.line ?? thrown.lineNumber ?? 1,
    column: thrown.column ?? thrown.columnNumber ?? 1,
    hint: 'Check for a missing comma, quote or bracket just before this position.',
  }
}

function placeIn(tree: DocumentNode, path: Path, what: 'value' | 'key'): LineColumn {
  let node: TreeNode = tree.body
  let key: TreeNode | undefined
  for (const part of path) {
    const next = childOf(node, part)
    if (next === undefined) break
    node = next.value
    key = next.key
  }
  return startOf(what === 'key' && key !== undefined ? key : node)
}

function childOf(node: TreeNode, part: string | number): { key: TreeNode | undefined; value: TreeNode } | undefined {
  if (node.type === 'Object') {
    const member = node.members.findLast((one) => nameOf(one.name) === String(part))
    return member && { key: member.name, value: member.value }
  }
  if (node.type === 'Array' && typeof part === 'number') {
    const element = node.elements[part]
    return element && { key: undefined, value: element.value }
  }
  return undefined
}

function nameOf(name: TreeNode): string {
  return name.type === 'String' ? name.value : name.type === 'Identifier' ? name.name : ''
}

function startOf(node: TreeNode): LineColumn {
  return { line: node.loc.start.line, column: node.loc.start.column }
}

/** Finds repeated keys, `__proto__`, NaN, Infinity and integers that a double cannot hold. */
function tokenProblems(node: TreeNode, file: string): Diagnostic[] {
  const at = (where: TreeNode, code: string, message: string, hint: string): Diagnostic => ({
    file,
    ...startOf(where),
    code,
    message,
    hint,
  })
  switch (node.type) {
    case 'Object': {
      const seen = new Set<string>()
      return node.members.flatMap((member) => {
        const name = nameOf(member.name)
        const again = seen.has(name)
        seen.add(name)
        return [
          ...(again
            ? [
                at(
                  member.name,
                  'SC1001',
                  `duplicate key "${name}"`,
                  'Remove one of the two: JSON5 silently keeps the last.',
                ),
              ]
            : []),
          ...(name === '__proto__'
            ? [at(member.name, 'SC1002', 'the key "__proto__" is not allowed', 'Choose another name.')]
            : []),
          ...tokenProblems(member.value, file),
        ]
      })
    }
    case 'Array':
      return node.elements.flatMap((element) => tokenProblems(element.value, file))
    case 'NaN':
    case 'Infinity':
      return [
        at(
          node,
          'SC1003',
          `${node.type} is not a valid value here`,
          'Write a number, or a quoted quantity with its unit.',
        ),
      ]
    case 'Number':
      return Number.isInteger(node.value) && !Number.isSafeInteger(node.value)
        ? [
            at(
              node,
              'SC1004',
              'this integer is too large to be represented exactly',
              "Write it in quotes: '1000000000000000000000'.",
            ),
          ]
        : []
    default:
      return []
  }
}
