// Prints "N passed, N failed, N skipped" for all AVA runs in a log, as the last line of CI.
import { readFileSync } from 'node:fs'

const text = readFileSync(process.argv[2], 'utf8')
const sum = (pattern) => [...text.matchAll(pattern)].reduce((total, match) => total + Number(match[1]), 0)

const passed = sum(/^\s+(\d+) tests? passed$/gm)
const failed = sum(/^\s+(\d+) (?:tests?|hooks?) failed$/gm) + sum(/^\s+(\d+) uncaught exceptions?$/gm)
const skipped = sum(/^\s+(\d+) tests? skipped$/gm)
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
if (passed === 0 || failed > 0) process.exit(1)
