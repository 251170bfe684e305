// Writes the pages of docs/ that are generated from declarations:
//   node scripts/reference.mjs
import { writeFileSync } from 'node:fs'
import { generatedPages } from '../dist/test/docs/referencePages.js'

for (const [path, text] of Object.entries(generatedPages))
  writeFileSync(new URL(`../docs/${path}`, import.meta.url), text())
