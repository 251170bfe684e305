/** The form field that chooses the account of the node that signs a transaction. */
import type { Account } from '../core/shapes.ts'
import { useData } from '../core/useData.ts'

/** A select named `from`, whose value is an Ethereum address. */
export function AccountField({ label }: { label: string }) {
  const { data: accounts = [] } = useData<readonly Account[]>('/accounts', false)
  return (
    <label>
      {label}
      <select name="from">
        {accounts.map(({ name, ethereum }) => (
          <option key={ethereum} value={ethereum}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
