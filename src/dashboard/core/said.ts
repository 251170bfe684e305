/** What the page last told its user, in the line that screen readers follow. */
import { signal } from '@preact/signals'

export const said = signal<{ readonly text: string; readonly isBad: boolean; readonly at: number }>({
  text: '',
  isBad: false,
  at: 0,
})

/** Tells the user something. */
export function say(text: string, isBad = false): void {
  said.value = { text, isBad, at: said.value.at + 1 }
}

/** Tells what an action came to, or why it was refused. Resolves with whether it succeeded. */
export async function run<Result>(asked: Promise<Result>, told: (result: Result) => string): Promise<boolean> {
  try {
    say(told(await asked))
    return true
  } catch (error) {
    say((error as Error).message, true)
    return false
  }
}
