/**
 * Recordings are the same on every engine of JavaScript: nothing in them depends on what engines
 * may do as they like.
 */
import { readdirSync, readFileSync } from 'node:fs'
import test from 'ava'

const folder = new URL('../../../src/recording/', import.meta.url)
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

/**
 * Orders and texts by language and region, functions whose last digits differ, sorts without an
 * order.
 */
const depends =
  /localeCompare|toLocale|\bIntl\b|\.normalize\(|Math\.(?!min|max|floor|round|ceil|abs|trunc|imul)\w+|\.toSorted\(\)\.map\(Number|toString\(36\)|Date\(/

test('nothing in recordings depends on the language of a machine or on the last digit of a function', (t) => {
  t.true(files.length > 30)
  for (const name of files) {
    t.notRegex(readFileSync(new URL(name, folder), 'utf8'), depends, name)
  }
})
