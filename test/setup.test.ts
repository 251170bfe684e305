/** How much `npm start` installs in a clone. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { root } from './helpers/packed.ts'

test('npm start installs the packages that the program is made of, and not those of the tests', (t) => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { readonly dev?: boolean }>
  }
  const installed = Object.entries(packages).filter(([path]) => path.startsWith('node_modules/'))
  const started = installed.filter(([, { dev }]) => dev !== true)
  t.true(started.length > 20 && started.length <= 130, `${started.length} of ${installed.length} packages`)
  t.regex(readFileSync(join(root, 'scripts/setup.mjs'), 'utf8'), /isAlone \? \['--omit=dev', '--ignore-scripts'\]/)
})
