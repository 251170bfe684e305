/** What `--help` shows: the flags that people need first, or with `--help all` every flag. */
import { Help, type Command, type Option } from 'commander'

let isAll = false

/** Takes `all` after `--help` out of the words, and remembers it for the commands that are made next. */
export function readHelpWords(words: readonly string[]): readonly string[] {
  const place = words.findIndex((word, index) => word === 'all' && ['--help', '-h'].includes(words[index - 1] ?? ''))
  isAll = place >= 0
  return isAll ? words.toSpliced(place, 1) : words
}

/** Makes the commands that are created next show every flag. */
export function showAll(): void {
  isAll = true
}

/** Returns whether the long help was asked for. */
export function showsAll(): boolean {
  return isAll
}

/** Returns an option that only the long help shows. */
export function detail(option: Option): Option {
  return isAll ? option : option.hideHelp()
}

/** Returns a text up to its first full stop. */
export function firstSentence(text: string): string {
  return /^.*?\.(?= |$)/s.exec(text)?.[0] ?? text
}

function longText(option: Option): string {
  return new Help().optionDescription(option)
}

/** Gives a command help of one screen; a last line names the rest where something is left out. */
export function withShortHelp(command: Command): Command {
  const rest = command.options.some(({ hidden }) => hidden) && !isAll && command.name() !== 'start'
  return command
    .configureHelp({
      helpWidth: Math.max(process.stdout.columns ?? 0, 100),
      optionDescription: (option) => (isAll ? longText(option) : option.description),
      subcommandTerm: (one) => one.name(),
      subcommandDescription: (one) => one.summary() || firstSentence(one.description()),
    })
    .addHelpText('after', () =>
      rest ? `\nAll flags with their defaults: chainstage ${command.name()} --help all` : '',
    )
}
