import { Argument, Command } from 'commander'
import { showAll } from './help.ts'
import type { Verb } from './verb.ts'

type Word = { readonly verb: string; readonly summary: string; readonly flags: readonly string[] }

type Verbs = Readonly<Record<string, () => Promise<Verb>>>

/**
 * `chainstage completions`: prints a shell script, generated from the declarations of all commands.
 */
export const completionsOf =
  (verbs: Verbs): Verb =>
  () =>
    new Command('completions')
      .description('Print shell completions: eval "$(chainstage completions bash)".')
      .addArgument(new Argument('<shell>', 'Shell to print them for.').choices(['bash', 'zsh', 'fish']))
      .option('--json', 'Print the completed words as JSON.')
      .action(async (shell: string, { json }: { json?: boolean }) => {
        const words = await wordsOf(verbs)
        process.stdout.write(
          json === true ? `${JSON.stringify(words)}\n` : shell === 'fish' ? fish(words) : bash(words, shell === 'zsh'),
        )
      })

async function wordsOf(verbs: Verbs): Promise<readonly Word[]> {
  showAll()
  return Promise.all(
    Object.entries(verbs).map(async ([verb, load]) => {
      const command = (await load())(() => {})
      const own = command.commands.map((one) => one.name())
      const flags = command.options
        .filter(({ hidden }) => !hidden)
        .map(({ long }) => long ?? '')
        .filter((long) => long !== '')
      return {
        verb,
        summary: command.description().split('\n')[0] ?? '',
        flags: [...own, ...flags, '--help'],
      }
    }),
  )
}

/** Returns the bash script; zsh runs it through `bashcompinit`. */
function bash(words: readonly Word[], isZsh: boolean): string {
  const cases = words.map(({ verb, flags }) => `    ${verb}) words="${flags.join(' ')}" ;;`).join('\n')
  return `${isZsh ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_chainstage() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words
  case "\${COMP_WORDS[1]}" in
${cases}
    *) words="${words.map(({ verb }) => verb).join(' ')} --help --version" ;;
  esac
  [ "$COMP_CWORD" = 1 ] && words="${words.map(({ verb }) => verb).join(' ')} --help --version"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} = 0 ] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _chainstage chainstage
`
}

function fish(words: readonly Word[]): string {
  return `${words
    .flatMap(({ verb, summary, flags }) => [
      `complete -c chainstage -n __fish_use_subcommand -a ${verb} -d '${summary.replaceAll("'", '')}'`,
      ...flags.map(
        (flag) =>
          `complete -c chainstage -n '__fish_seen_subcommand_from ${verb}' ${flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-a ${flag}`}`,
      ),
    ])
    .join('\n')}\n`
}
