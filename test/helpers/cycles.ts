/** Finds files, and folders side by side, that import each other. */

/** Returns one line for each group of files that import each other, whichever way around. */
export function fileCycles(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  return stronglyConnected(imports).map((group) => `${group[0]}: imports itself by way of ${group.slice(1).join(', ')}`)
}

/**
 * Returns one line for each two folders that import each other. A folder and one inside of it may: they are one part of
 * the program, whose files still do not.
 */
export function mutualFolders(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const seen = new Map<string, string>()
  for (const [from, targets] of imports) {
    for (const to of targets) seen.set(`${folderOf(from)} ${folderOf(to)}`, from)
  }
  return [...seen].flatMap(([pair, from]) => {
    const [left = '', right = ''] = pair.split(' ')
    const isNested = left === right || `${left}/`.startsWith(`${right}/`) || `${right}/`.startsWith(`${left}/`)
    if (isNested || left === '' || right === '' || !seen.has(`${right} ${left}`)) return []
    return [`${from}: ${left} and ${right} import each other`]
  })
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** Tarjan's algorithm: the groups of more than one node, each of which leads to all others. */
function stronglyConnected(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const number = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const groups: (readonly string[])[] = []

  function visit(node: string): number {
    const own = number.size
    number.set(node, own)
    lowest.set(node, own)
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      const reached = number.has(next) ? (stack.includes(next) ? number.get(next) : undefined) : visit(next)
      lowest.set(node, Math.min(lowest.get(node) ?? own, reached ?? own))
    }
    const low = lowest.get(node) ?? own
    if (low === own) {
      const group = stack.splice(stack.indexOf(node))
      if (group.length > 1) groups.push(group)
    }
    return low
  }

  for (const node of graph.keys()) if (!number.has(node)) visit(node)
  return groups
}
