import type { Command } from 'commander'

/** Creates a command. The command calls `exit` with its exit code if that is not 0. */
export type Verb = (exit: (code: number) => void) => Command
