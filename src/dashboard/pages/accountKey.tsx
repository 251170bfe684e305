/** The dialog with the published key of a development account. */
import { get } from '../core/api.ts'
import { open } from '../core/dialog.tsx'
import { say } from '../core/said.ts'
import { Fields, CopyableText } from '../parts/basics.tsx'

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
    open(
      `Key of ${name}`,
      <div class="stack" id="accountkey">
        <p class="hint">Everybody knows this key. Never send anything of value to its addresses.</p>
        <Fields
          pairs={[
            ['Private key', <CopyableText text={key.privateKey} what="the private key" />],
            ['Mnemonic', <CopyableText text={key.mnemonic} what="the mnemonic" />],
            ['Path', <CopyableText text={key.path} what="the derivation path" />],
          ]}
        />
      </div>,
    )
  } catch (error) {
    say((error as Error).message, true)
  }
}
