/** The shape of the package: what tools and compilers that read it say of it, and what `npm pack` puts in. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'ava'
import { publint } from 'publint'
import { packedProject, root } from './helpers/packed.ts'

const tsc = join(root, 'node_modules/typescript/bin/tsc')
const project = packedProject(['@types/node'])
const { folder, modules, run } = project

test.after.always(project.remove)

test.serial('publint finds nothing to say about the package', async (t) => {
  const { messages } = await publint({ pkgDir: join(modules, 'chainstage'), pack: false, strict: true })
  t.deepEqual(messages, [])
})

/** The program of @arethetypeswrong/cli. */
const attw = process.env['ATTW']
const withAttw = attw === undefined ? test.skip : test.serial

withAttw('attw finds the types of every entry in a module (ATTW=path/to/index.js, as .ci/run sets it)', async (t) => {
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? ''
  const { code, out } = await run([attw ?? '', tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji'])
  t.is(code, 0, out)
  for (const entry of ['', '/ava', '/vitest', '/playwright']) t.true(out.includes(`"chainstage${entry}"`), out)
})

const everyEntry = `
  import { start, defineScenario, RpcFailed, SimError } from 'chainstage'
  import { withChain } from 'chainstage/ava'
  import { chainFixtures } from 'chainstage/vitest'
  import { chainFixtures as fixtures } from 'chainstage/playwright'
  export { defineScenario, RpcFailed, SimError, withChain, chainFixtures, fixtures }
  const chain = await start({ ports: 'free' })
  export const height: number = chain.mine(2)
`
/** What compilers are told beside `strict`: how modules are found, as projects of each kind say it. */
const resolutions = {
  node16: { module: 'node16' },
  nodenext: { module: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
}

for (const [name, options] of Object.entries(resolutions)) {
  test.serial(`a strict project without skipLibCheck compiles every entry under ${name}`, async (t) => {
    const compile = async (text: string) => {
      writeFileSync(join(folder, `${name}.ts`), text)
      const compilerOptions = {
        ...options,
        ...{ strict: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
        ...{ target: 'es2022', lib: ['es2023', 'esnext.disposable', 'dom'], types: ['node'], noEmit: true },
      }
      const config = { compilerOptions, files: [`${name}.ts`] }
      writeFileSync(join(folder, `tsconfig.${name}.json`), JSON.stringify(config))
      return run([tsc, '-p', `tsconfig.${name}.json`])
    }
    t.deepEqual(await compile(everyEntry), { code: 0, out: '' })
    const wrong = await compile(everyEntry.replace('mine(2)', "mine('2')"))
    t.regex(wrong.out, new RegExp(`^${name}\\.ts\\S* error TS2345: .*'string'`))
  })
}

/** Returns a copy of the files that git knows, with our packages linked and nothing built. */
function unbuiltClone(): string {
  const clone = join(folder, 'clone')
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
  for (const file of files.filter((name) => name !== '' && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(clone, file)), { recursive: true })
    cpSync(join(root, file), join(clone, file))
  }
  mkdirSync(join(clone, 'node_modules'))
  const names = readdirSync(join(root, 'node_modules')).filter((name) => !name.startsWith('.'))
  for (const name of names) {
    symlinkSync(join(root, 'node_modules', name), join(clone, 'node_modules', name), 'junction')
  }
  // A part of what ships comes from here, and where its files are named by path a link would lead out of the clone.
  rmSync(join(clone, 'node_modules/zod'))
  cpSync(join(root, 'node_modules/zod'), join(clone, 'node_modules/zod'), { recursive: true })
  // npm writes this file last: what it installed is newer than the lock.
  cpSync(join(root, 'node_modules/.package-lock.json'), join(clone, 'node_modules/.package-lock.json'))
  return clone
}

const inClone = existsSync(join(root, '.git')) ? test.serial : test.skip

inClone('npm pack in a clone that was never built ships all that a built one does', (t) => {
  const clone = unbuiltClone()
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const begun = Date.now()
  const [{ filename }] = JSON.parse(
    execFileSync(npm, ['pack', '--json', '--offline'], {
      cwd: clone,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as [{ filename: string }]
  t.log(`packed in ${Date.now() - begun} ms`)
  execFileSync('tar', ['xzf', filename], { cwd: clone })
  // The parts of the program have a digest of their text in their names.
  const listed = (path: string) =>
    readdirSync(path, { recursive: true, encoding: 'utf8' })
      .map((name) => name.replace(/-[\w-]{8}(?=\.c?js(?:\.map)?$)/, ''))
      .sort()
  const packed = listed(join(clone, 'package'))
  t.true(packed.length > 200, `${packed.length} files`)
  const shipped = listed(join(modules, 'chainstage'))
  t.deepEqual(
    [packed.filter((name) => !shipped.includes(name)), shipped.filter((name) => !packed.includes(name))],
    [[], []],
  )
  rmSync(clone, { recursive: true })
})
