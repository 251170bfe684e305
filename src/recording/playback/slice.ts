/** Slices JSON text, so that numbers and spellings stay as they were recorded. */

/** Returns the raw text of each member of an object; empty if the text is not an object. */
export function memberTexts(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const part of parts(text.trim(), '{')) {
    const end = stringEnd(part, 0)
    found.set(JSON.parse(part.slice(0, end)) as string, part.slice(part.indexOf(':', end) + 1).trim())
  }
  return found
}

/** Returns the raw text of each item of an array; empty if the text is not an array. */
export function itemTexts(text: string): readonly string[] {
  return parts(text.trim(), '[')
}

/** Splits the text between the outer brackets at its commas. */
function parts(text: string, open: '{' | '['): string[] {
  if (!text.startsWith(open)) return []
  const found: string[] = []
  let depth = 0
  let from = 1
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') at = stringEnd(text, at) - 1
    else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') depth -= 1
    const isEnd = depth === 0
    if (!isEnd && !(depth === 1 && char === ',')) continue
    const part = text.slice(from, at).trim()
    if (part !== '') found.push(part)
    from = at + 1
    if (isEnd) break
  }
  return found
}

/** Returns the position after the closing quote of the string that starts at a quote. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at + 1
  }
  return text.length
}
