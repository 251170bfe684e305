// Makes JavaScript and its source map smaller: V8 keeps a text with characters outside of ASCII in twice
// the memory, and a map of every token is as long as the text that it maps.
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** From this share of characters outside of ASCII on, their escapes would need more memory than they save. */
const escapedMost = 0.02

/**
 * Returns code with the characters outside of ASCII as `\uXXXX`, which may stand anywhere but in raw
 * templates, and its source map with one segment for each line of the source.
 */
export function leanCode(code, map) {
  const count = code.match(/[^\0-\x7f]/g)?.length ?? 0
  const isEscaped = count < code.length * escapedMost
  const lines = code.split('\n')
  const read = { source: 0, line: 0, column: 0 }
  const written = { source: 0, line: 0, column: 0 }
  const mappings = map.mappings.split(';').map((text, index) => {
    const kept = firstOfLines(segmentsOf(text, read))
    return writtenSegments(isEscaped ? moved(kept, lines[index] ?? '') : kept, written)
  })
  return { code: isEscaped ? escaped(code) : code, map: { ...map, names: [], mappings: mappings.join(';') } }
}

function escaped(text) {
  return text.replace(/[^\0-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Returns the segments that begin another line of the source. */
function firstOfLines(segments) {
  return segments.filter(({ source, line }, index) => {
    const before = segments[index - 1]
    return before === undefined || before.line !== line || before.source !== source
  })
}

/** Moves the columns behind the escaped characters of a line. */
function moved(segments, line) {
  let [from, by] = [0, 0]
  return segments.map((segment) => {
    by += 5 * (line.slice(from, segment.at).match(/[^\0-\x7f]/g)?.length ?? 0)
    from = segment.at
    return { ...segment, at: segment.at + by }
  })
}

/** Returns the segments of a line; `at` is a column of the code. `last` holds what their fields are relative to. */
function segmentsOf(text, last) {
  let at = 0
  return text.split(',').flatMap((segment) => {
    const [moved, source, line, column] = fieldsOf(segment)
    if (moved === undefined) return []
    at += moved
    if (column === undefined) return []
    Object.assign(last, { source: last.source + source, line: last.line + line, column: last.column + column })
    return [{ at, ...last }]
  })
}

function writtenSegments(segments, last) {
  let before = 0
  return segments
    .map(({ at, source, line, column }) => {
      const fields = [at - before, source - last.source, line - last.line, column - last.column]
      Object.assign(last, { source, line, column })
      before = at
      return fields.map(fieldText).join('')
    })
    .join(',')
}

/** Reads variable-length quantities (source map specification, revision 3). */
function fieldsOf(segment) {
  const fields = []
  let [value, weight] = [0, 1]
  for (const digit of segment) {
    const bits = digits.indexOf(digit)
    value += (bits & 31) * weight
    weight *= 32
    if ((bits & 32) !== 0) continue
    fields.push(value % 2 === 1 ? -(value - 1) / 2 : value / 2)
    value = 0
    weight = 1
  }
  return fields
}

function fieldText(value) {
  let rest = value < 0 ? -2 * value + 1 : 2 * value
  let text = ''
  do {
    const bits = rest % 32
    rest = Math.floor(rest / 32)
    text += digits[bits + (rest > 0 ? 32 : 0)]
  } while (rest > 0)
  return text
}
