/** Programs that stand in for the network while the blocks of a page run. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root, type Project } from '../helpers/packed.ts'
import { hardhat3, tools } from './tools.ts'

/** The folder of the packages of a project that installs Hardhat 3, below the folder of the project. */
const hardhat3Modules = 'hardhat-3/node_modules'

/**
 * Puts programs into a project that stand in for the network: `npm install` links the packages that the project has
 * and fails for others, and `playwright install` leaves the browser to the environment. Where `TARBALL` names the
 * packed package, npm itself installs that one, and the other packages are linked beside it. `nats-server` listens at
 * the port of `NATS_PORT`.
 */
export function writeShims(project: Project, packages: readonly string[]): void {
  const shims = join(project.folder, 'shims')
  mkdirSync(shims)
  const npm = `#!/usr/bin/env bash
case "$1" in
  install|i|ci|add)
    shift
    case "$*" in *hardhat@3*) MODULES="${join(project.folder, hardhat3Modules)}" ;; esac
    for word in "$@"; do
      name="$word"
      case "\${word:1}" in *@*) name="\${word%@*}" ;; esac
      case "$word" in -*) ;; *) [ -e "$MODULES/$name" ] || { echo "not in the test project: $word"; exit 1; } ;; esac
    done
    if [ -n "$TARBALL" ]; then
      PATH=\${PATH#*:} npm install --save-dev --offline --no-audit --no-fund "$TARBALL"
      for path in "$MODULES"/* "$MODULES"/@*/*; do
        name=\${path#"$MODULES"/}
        case "$name" in @*/*|[!@]*) [ -e "node_modules/$name" ] || { mkdir -p "$(dirname "node_modules/$name")"; ln -s "$path" "node_modules/$name"; } ;; esac
      done
    else
      [ -e node_modules ] || ln -s "$MODULES" node_modules
    fi ;;
  *) PATH=\${PATH#*:} exec npm "$@" ;;
esac
`
  const npx = `#!/usr/bin/env bash
[ "$1 $2" = 'playwright install' ] && exit 0
[ -e "node_modules/.bin/$1" ] && exec "node_modules/.bin/$@"
[ -e "$MODULES/.bin/$1" ] || { echo "not in the test project: $1"; exit 1; }
exec "$MODULES/.bin/$@"
`
  const nats = `#!/usr/bin/env bash
PATH=\${PATH#*:} exec nats-server -a 127.0.0.1 -p "$NATS_PORT" "$@"
`
  writeFileSync(join(shims, 'npm'), npm, { mode: 0o755 })
  writeFileSync(join(shims, 'npx'), npx, { mode: 0o755 })
  writeFileSync(join(shims, 'nats-server'), nats, { mode: 0o755 })
  mkdirSync(join(project.modules, '.bin'))
  for (const name of ['chainstage', ...packages]) linkPrograms(project.modules, name)
  if (tools['hardhat3'] === true) linkHardhat3(project)
}

/** Makes the folder of packages that `npm install hardhat@3` would make beside chainstage. */
function linkHardhat3({ folder, modules }: Project): void {
  const there = join(folder, hardhat3Modules)
  mkdirSync(join(there, '.bin'), { recursive: true })
  const link = (target: string, name: string) => {
    mkdirSync(dirname(join(there, name)), { recursive: true })
    if (!existsSync(join(there, name))) symlinkSync(target, join(there, name), 'junction')
  }
  link(join(modules, 'chainstage'), 'chainstage')
  link(join(root, 'node_modules/@types/node'), '@types/node')
  for (const name of readdirSync(hardhat3).filter((one) => !one.startsWith('.'))) {
    if (!name.startsWith('@')) link(join(hardhat3, name), name)
    else for (const part of readdirSync(join(hardhat3, name))) link(join(hardhat3, name, part), `${name}/${part}`)
  }
  for (const name of ['chainstage', 'hardhat']) linkPrograms(there, name)
}

function linkPrograms(modules: string, name: string): void {
  const path = join(modules, name, 'package.json')
  if (!existsSync(path)) return
  const { bin = {} } = JSON.parse(readFileSync(path, 'utf8')) as { bin?: string | Record<string, string> }
  const programs = typeof bin === 'string' ? { [name]: bin } : bin
  for (const [program, file] of Object.entries(programs)) {
    if (name === 'chainstage') chmodSync(join(modules, name, file), 0o755)
    symlinkSync(join(modules, name, file), join(modules, '.bin', program))
  }
}
