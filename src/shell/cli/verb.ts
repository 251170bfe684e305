import type { Command } from 'commander'

/** Makes one command; it says its exit code through `exit` when it is not 0. */
export type Verb = (exit: (code: number) => void) => Command
