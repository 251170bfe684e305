/** `--help` text: the most important flags, or every flag with `--help all`. */
import { Help, type Command, type Option } from 'commander'

let isAll = false

/**
 * Removes `all` after `--help` from the words. Commands created afterwards then show every flag.
 */
export function readHelpWords(words: readonly string[]): readonly string[] {
  const place = words.findIndex((word, index) => word === 'all' && ['--help', '-h'].includes(words[index - 1] ?? ''))
  isAll = place >= 0
  return isAll ? words.toSpliced(place, 1) : words
}

/** Makes commands created afterwards show every flag. */
export function showAll(): void {
  isAll = true
}

/** Returns whether help shows every flag. */
export function showsAll(): boolean {
  return isAll
}

/** Returns an option that only `--help all` shows. */
export function detail(option: Option): Option {
  return isAll ? option : option.hideHelp()
}

/** Returns the text up to its first full stop. */
export function firstSentence(text: string): string {
  return /^.*?\.(?= |$)/s.exec(text)?.[0] ?? text
}

function longText(option: Option): string {
  return new Help().optionDescription(option)
}

/**
 * Limits a command's help to one screen. If flags are hidden, the last line refers to `--help all`.
 */
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
