/** The page's only dialog, used for forms and confirmations. */
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'

export type Dialog = { readonly title: string; readonly body: ComponentChildren }

export const dialog = signal<Dialog | undefined>(undefined)

/** Opens the dialog. */
export function open(title: string, body: ComponentChildren): void {
  dialog.value = { title, body }
}

/** Closes the dialog. */
export function close(): void {
  dialog.value = undefined
}

// A dialog belongs to the page on which it was opened.
addEventListener('hashchange', close)

/** Asks the user to confirm an action that cannot be undone; `act` runs on confirmation. */
export function confirm(
  title: string,
  { text, verb, act }: { readonly text: string; readonly verb: string; readonly act: () => unknown },
): void {
  open(
    title,
    <div class="stack">
      <p>{text}</p>
      <div class="formrow">
        <button
          type="button"
          class="danger"
          onClick={() => {
            close()
            act()
          }}
        >
          {verb}
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </div>,
  )
}
