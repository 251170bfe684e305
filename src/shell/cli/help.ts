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
 * Limits the help of a command and of its subcommands to one screen. If flags are hidden, the last
 * line refers to `--help all`; if none are, each flag has its choices and its default. `words` is
 * the command line up to the command.
 */
export function withShortHelp(command: Command, words = `chainstage ${command.name()}`): Command {
  const isShort = command.options.some(({ hidden }) => hidden) && !isAll
  for (const one of command.commands) withShortHelp(one, `${words} ${one.name()}`)
  return command
    .helpCommand(false)
    .configureHelp({
      helpWidth: Math.max(process.stdout.columns ?? 0, 100),
      optionDescription: (option) => (isShort ? option.description : longText(option)),
      subcommandTerm: (one) => one.name(),
      subcommandDescription: (one) => one.summary() || firstSentence(one.description()),
    })
    .addHelpText('after', () =>
      isShort && command.name() !== 'start' ? `\nAll flags with their defaults: ${words} --help all` : '',
    )
}
