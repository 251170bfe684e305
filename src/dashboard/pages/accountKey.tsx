/** The dialog with the published key of a development account. */
import { get } from '../core/api.ts'
import { open } from '../core/dialog.tsx'
import { say } from '../core/said.ts'
import { Copy, Fields } from '../parts/basics.tsx'

type Key = {
  readonly name: string
  readonly privateKey: string
  readonly mnemonic: string
  readonly path: string
}

/** Opens the dialog with the private key and the mnemonic of an account, or says why it cannot. */
export async function openKey(name: string): Promise<void> {
  try {
    const key = await get<Key>(`/accounts/${encodeURIComponent(name)}/key`)
    const shown = (text: string, what: string) => (
      <span class="mono break">
        {text} <Copy text={text} what={what} />
      </span>
    )
    open(
      `Key of ${name}`,
      <div class="stack" id="accountkey">
        <p class="hint">Everybody knows this key. Never send anything of value to its addresses.</p>
        <Fields
          pairs={[
            ['Private key', shown(key.privateKey, 'the private key')],
            ['Mnemonic', shown(key.mnemonic, 'the mnemonic')],
            ['Path', shown(key.path, 'the derivation path')],
          ]}
        />
      </div>,
    )
  } catch (error) {
    say((error as Error).message, true)
  }
}
