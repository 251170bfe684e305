/** The latest message to the user, shown in a live region for screen readers. */
import { signal } from '@preact/signals'

export const said = signal<{ readonly text: string; readonly isBad: boolean; readonly at: number }>({
  text: '',
  isBad: false,
  at: 0,
})

/** Shows the user a message. */
export function say(text: string, isBad = false): void {
  said.value = { text, isBad, at: said.value.at + 1 }
}

/** Resolves with a response. If the request fails, tells the user why and resolves with undefined. */
export async function heard<Result>(asked: Promise<Result>): Promise<Result | undefined> {
  try {
    return await asked
  } catch (error) {
    say((error as Error).message, true)
    return undefined
  }
}

/** Tells the user the outcome of an action, or its error. Resolves with whether it succeeded. */
export async function run<Result>(asked: Promise<Result>, told: (result: Result) => string): Promise<boolean> {
  try {
    say(told(await asked))
    return true
  } catch (error) {
    // A wallet may reject with anything.
    const { message } = Object(error) as { readonly message?: string }
    say(message ?? String(error ?? 'It failed, and no reason was given.'), true)
    return false
  }
}
