// Builds `dist/dashboard`, the page that the control port serves: one script, one style sheet.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const source = join(root, 'src/dashboard')
const out = join(root, 'dist/dashboard')

/** Writes the page and resolves with the files of packages that it contains. */
export async function buildDashboard() {
  mkdirSync(out, { recursive: true })
  const build = await rolldown({
    cwd: root,
    input: { app: join(source, 'main.tsx') },
    platform: 'browser',
    tsconfig: join(source, 'tsconfig.json'),
    transform: { target: 'es2022' },
  })
  const { output } = await build.write({
    dir: out,
    format: 'esm',
    entryFileNames: '[name].js',
    codeSplitting: false,
    minify: true,
  })
  await build.close()
  const charts = join(root, 'node_modules/uplot/dist/uPlot.min.css')
  writeFileSync(
    join(out, 'style.css'),
    [charts, join(source, 'style.css')].map((path) => readFileSync(path, 'utf8')).join('\n'),
  )
  for (const name of ['index.html', 'icon.svg']) cpSync(join(source, name), join(out, name))
  return [...output.flatMap(({ moduleIds = [] }) => moduleIds), charts]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildDashboard()
