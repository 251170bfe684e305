// Builds src/evm/evm.wasm from src/evm/engine and records its inputs in src/evm/evm.json.
//
//   npm run build:evm              build the engine and record its inputs
//   npm run build:evm -- --check   build a copy and compare its bytes if the recorded compiler is
//                                  used; with another compiler, keep the new file for the tests;
//                                  exit with 3 if the engine cannot be built here
//   npm run build:evm -- --digest  print the digest of the sources
//
// It needs cargo and one of two compilers. On any system:
//     rustup target add wasm32-unknown-unknown
// Without access to rustup's servers, but with Debian's packages (cargo from rustup or Debian runs
// Debian's compiler, which builds the standard library from source):
//     apt-get install --no-install-recommends rustc-web rust-web-src lld-22
// The same sources and compiler give the same bytes in any directory, because paths are remapped.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const crate = join(root, 'src/evm/engine')
const wasm = join(root, 'src/evm/evm.wasm')
const record = join(root, 'src/evm/evm.json')
const noticesFile = join(root, 'src/evm/NOTICES.md')
const memoryFlag = '-Clink-arg=--max-memory=2147483648'
const target = 'wasm32-unknown-unknown'
const isCheck = process.argv.includes('--check')
const cannotBuild = 3
const debianRustc = '/usr/bin/rustc'
const librarySource = '/usr/lib/rustlib/src/rust/library'

/** Returns the SHA-256 of all sources of the binary, including their names. */
function sourceDigest() {
  const sources = readdirSync(join(crate, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.rs'))
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
  const hash = createHash('sha256')
  for (const name of ['Cargo.toml', 'Cargo.lock', ...sources].sort()) {
    hash
      .update(`${name}\n`)
      .update(readFileSync(join(crate, name)))
      .update('\n')
  }
  return hash.digest('hex')
}

function output(command, args) {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Returns the compilers that can build the engine here, with their options and environment. */
function toolchains() {
  const found = []
  const sysroot = output('rustc', ['--print', 'sysroot'])
  if (sysroot !== undefined && existsSync(join(sysroot, 'lib/rustlib', target))) {
    found.push({ rustc: 'rustc', compiler: output('rustc', ['--version']), build: [], env: {} })
  }
  const linker = ['wasm-ld-22', 'wasm-ld', 'rust-lld'].find((name) => output(name, ['--version']) !== undefined)
  if (existsSync(debianRustc) && existsSync(librarySource) && linker !== undefined) {
    found.push({
      rustc: debianRustc,
      compiler: output(debianRustc, ['--version']),
      build: ['-Zbuild-std=std,panic_abort'],
      env: {
        RUSTC: debianRustc,
        RUSTC_BOOTSTRAP: '1',
        CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: linker,
      },
    })
  }
  return found
}

/** Returns instructions to install missing build tools, or undefined if nothing is missing. */
function missing(found) {
  const cargo = 'There is no cargo: see https://rustup.rs, or apt-get install cargo-web.'
  const compiler = `There is no compiler for ${target}. Either
  rustup target add ${target}
or, on Debian,
  apt-get install --no-install-recommends rustc-web rust-web-src lld-22`
  const lacks = [
    ...(output('cargo', ['--version']) === undefined ? [cargo] : []),
    ...(found.length === 0 ? [compiler] : []),
  ]
  const comfort = 'Nobody needs this to use chainstage: src/evm/evm.wasm is committed.'
  return lacks.length === 0 ? undefined : [...lacks, comfort].join('\n')
}

/** Returns compiler flags that fix the maximum memory and keep local paths out of the binary. */
function rustFlags() {
  const registry = join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'registry/src')
  const stores = existsSync(registry) ? readdirSync(registry).map((name) => join(registry, name)) : []
  const maps = [...stores.map((path) => `${path}=/crates`), `${crate}=/engine`, `${librarySource}=/library`].map(
    (map) => `--remap-path-prefix=${map}`,
  )
  return [memoryFlag, ...maps].join(' ')
}

function build({ build: options, env }, targetDirectory) {
  const directory = targetDirectory ?? mkdtempSync(join(tmpdir(), 'chainstage-evm-'))
  const all = { ...process.env, ...env, CARGO_TARGET_DIR: directory }
  const run = (args, more = {}) =>
    execFileSync('cargo', args, { cwd: crate, stdio: 'inherit', env: { ...all, ...more } })
  run(['fetch', '--locked'])
  run(['build', '--locked', '--release', '--target', target, ...options], { RUSTFLAGS: rustFlags() })
  return { directory, file: join(directory, target, 'release/chainstage_evm.wasm') }
}

/** Throws if the binary contains a local path or a registry name, and so would differ elsewhere. */
function assertClean(bytes) {
  const text = bytes.toString('latin1')
  const found = [homedir(), root, tmpdir(), '.cargo', 'index.crates', 'registry/src'].filter((word) =>
    text.includes(word),
  )
  if (found.length > 0) throw new Error(`the binary contains ${found.join(', ')}`)
}

function crateVersions() {
  const lock = readFileSync(join(crate, 'Cargo.lock'), 'utf8')
  const versions = [...lock.matchAll(/name = "(revm[\w-]*)"\nversion = "([^"]+)"/g)]
  return Object.fromEntries(versions.map(([, name, version]) => [name, version]))
}

/** Returns a page that lists the third-party crates in the binary. */
function notices() {
  const args = [
    'tree',
    '--locked',
    '--target',
    target,
    '-e',
    'normal,no-proc-macro',
    '--prefix',
    'none',
    '-f',
    '{p}|{l}',
  ]
  const lines = execFileSync('cargo', args, { cwd: crate, encoding: 'utf8' }).replaceAll(' (*)', '').split('\n')
  const rows = [...new Set(lines)]
    .filter((line) => line.includes('|') && !line.startsWith('chainstage'))
    .sort()
    .map((line) => /^(\S+) v(\S+).*\|(.*)$/.exec(line))
    .map(([, name, version, licence]) => `| ${name} | ${version} | ${licence} |`)
  return `# Third-party crates in evm.wasm

Written by \`npm run build:evm\`. The Rust standard library (MIT OR Apache-2.0) is in it too. The sources
and the full texts of the licences are on its page in the crate registry.

| Crate | Version | Licence |
|---|---|---|
${rows.join('\n')}
`
}

function main() {
  const recorded = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {}
  const found = toolchains()
  const lacks = missing(found)
  if (lacks !== undefined) {
    console.error(lacks)
    process.exit(isCheck ? cannotBuild : 1)
  }
  const wanted = process.env.EVM_RUSTC ?? recorded.compiler
  const chosen = found.find(({ compiler }) => compiler === wanted) ?? found[0]
  console.log(`Building with ${chosen.compiler}.`)
  const { directory, file } = buildOrExplain(chosen, chosen.compiler === recorded.compiler)
  const bytes = readFileSync(file)
  assertClean(bytes)
  if (isCheck) check({ file, bytes }, recorded, chosen)
  else keep(file, chosen)
  if (process.env.CARGO_TARGET_DIR === undefined) rmSync(directory, { recursive: true })
}

/** Builds the engine. A check explains, instead of failing, missing crates or an old compiler. */
function buildOrExplain(chosen, isRecorded) {
  const directory = process.env.CARGO_TARGET_DIR
  if (!isCheck) return build(chosen, directory)
  try {
    execFileSync('cargo', ['fetch', '--locked'], { cwd: crate, stdio: 'inherit' })
  } catch {
    console.error('The crates cannot be fetched here: the engine was not built again.')
    process.exit(cannotBuild)
  }
  try {
    return build(chosen, directory)
  } catch (error) {
    if (isRecorded) throw error
    console.error(`${chosen.compiler} cannot build the engine, which was built with another compiler.`)
    process.exit(cannotBuild)
  }
}

function check({ file, bytes }, recorded, chosen) {
  if (bytes.equals(readFileSync(wasm))) {
    console.log('The same bytes.')
  } else if (chosen.compiler === recorded.compiler) {
    console.error('The compiler is the recorded one, but the bytes differ: run npm run build:evm.')
    process.exitCode = 1
  } else {
    console.log(`Recorded with ${recorded.compiler}: the fresh binary goes in place for the tests.`)
    keep(file, chosen)
  }
}

function keep(file, { compiler, build: options }) {
  copyFileSync(file, wasm)
  chmodSync(wasm, 0o644)
  const flags = ['--release', `--target ${target}`, ...options, memoryFlag]
  const bytes = createHash('sha256').update(readFileSync(wasm)).digest('hex')
  const contents = {
    sources: sourceDigest(),
    wasm: bytes,
    compiler,
    flags,
    crates: crateVersions(),
  }
  writeFileSync(noticesFile, notices())
  writeFileSync(record, `${JSON.stringify(contents, null, 2)}\n`)
  console.log(`Wrote src/evm/evm.wasm and src/evm/evm.json.`)
}

if (process.argv.includes('--digest')) console.log(sourceDigest())
else main()
