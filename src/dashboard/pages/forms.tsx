/** Dialog forms for the faucet, signals, ABIs and reorgs. */
import { get, post } from '../core/api.ts'
import { open } from '../core/dialog.tsx'
import { counted } from '../core/format.ts'
import { refresh } from '../core/live.ts'
import { heard } from '../core/said.ts'
import { Form } from '../parts/Form.tsx'

/** Opens the form that mints test tokens to an address. */
export function openFaucet(address = ''): void {
  open(
    'Faucet',
    <Form
      verb="Mint tokens"
      act={async (field) => {
        await post('/faucet', { address: field('address'), tokens: field('tokens') })
        return `Minted ${field('tokens')} tokens to ${field('address')}.`
      }}
    >
      <label>
        Address, 0x… or cosmos1…
        <input name="address" class="long mono" defaultValue={address} required spellcheck={false} />
      </label>
      <label>
        Whole tokens
        <input name="tokens" class="short" defaultValue="100" required inputMode="decimal" />
      </label>
    </Form>,
  )
}

type Steps = { readonly steps: readonly { readonly waitsFor: string | null }[] }

/** Opens the form that sends a signal. */
export async function openSignal(): Promise<void> {
  const told = await heard(get<Steps>('/scenario'))
  if (told === undefined) return
  const { steps } = told
  const names = [...new Set(steps.flatMap(({ waitsFor }) => waitsFor ?? []))]
  open(
    'Signal',
    <Form
      verb="Send signal"
      act={async (field) => {
        await post('/signal', { name: field('name') })
        return `Sent signal "${field('name')}".`
      }}
    >
      <p class="hint">
        {names.length === 0
          ? 'No step of this scenario waits for a signal. A signal is kept until a step waits for it.'
          : `This scenario has steps that wait for: ${names.join(', ')}.`}
      </p>
      <label>
        Name
        <input name="name" class="long" defaultValue={names[0] ?? ''} required />
      </label>
    </Form>,
  )
}

type Known = Readonly<Record<'events' | 'functions' | 'errors', readonly string[]>>

/** Opens the form that adds an ABI for decoding. */
export function openAbi(): void {
  open(
    'Add an ABI',
    <Form
      verb="Add"
      act={async (field) => {
        let abi: unknown
        try {
          abi = JSON.parse(field('abi'))
        } catch (error) {
          throw new Error(`The ABI is not valid JSON: ${(error as Error).message}`)
        }
        const { events, functions, errors } = await post<Known>('/abis', { abi })
        refresh()
        return `Added: ${[...events, ...functions, ...errors].join(', ')}.`
      }}
    >
      <p class="hint">
        Paste an ABI, or a file written by solc, Hardhat or Foundry. Start with <code>--artifacts</code> to read whole
        folders.
      </p>
      <label>
        JSON
        <textarea name="abi" required spellcheck={false} />
      </label>
    </Form>,
  )
}

/** Opens the form that starts a reorg of the newest blocks. */
export function openReorg(): void {
  open(
    'Reorg',
    <Form
      verb="Reorg"
      act={async (field) => {
        const body = { depth: Number(field('depth')), view: field('view') }
        const taken = field('checkpoint') === '' ? undefined : await post<{ id: string }>('/checkpoint')
        const { depth, height } = await post<{ depth: number; height: number }>('/reorg', body)
        const undo = taken === undefined ? '' : ` Restore checkpoint ${taken.id} to undo it.`
        return `${counted(depth, 'block has a new hash', 'blocks have new hashes')}. Height: ${height}.${undo}`
      }}
    >
      <p class="hint">CometBFT never reverts a block, but Ethereum clients must handle nodes that do.</p>
      <label>
        Number of newest blocks
        <input name="depth" type="number" min={1} defaultValue="1" required />
      </label>
      <label>
        Visible on
        <select name="view">
          <option value="evm">Ethereum JSON-RPC only: same transactions, new hashes</option>
          <option value="chain">Both interfaces: new blocks without the old transactions</option>
        </select>
      </label>
      <label class="check">
        <input name="checkpoint" type="checkbox" defaultChecked />
        Take a checkpoint first, to undo the reorg
      </label>
    </Form>,
  )
}
