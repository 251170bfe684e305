/** The paged list of all transactions. */
import { type PageProps, linkTo } from '../core/router.ts'
import type { Tx } from '../core/shapes.ts'
import { useData } from '../core/useData.ts'
import { Pending } from '../parts/basics.tsx'
import { Pager } from '../parts/Pager.tsx'
import { TxTable } from './lists.tsx'

const size = 50

type Paged = { readonly path: string; readonly page: string; readonly id?: string; readonly before: string | undefined }

/** Lists the transactions of the chain or of one address, paged by transaction number. */
export function PagedTransactions({ path, page, id = '', before, tab }: Paged & { readonly tab?: string }) {
  const mark = path.includes('?') ? '&' : '?'
  const cursor = before === undefined ? '' : `&before=${Number(before)}`
  const { data, error } = useData<readonly Tx[]>(`${path}${mark}limit=${size}${cursor}`, before === undefined)
  if (data === undefined) return <Pending error={error} />
  const last = data.at(-1)?.number ?? 0
  const to = (query: Record<string, string | number>) =>
    linkTo(page, id, { ...(tab === undefined ? {} : { tab }), ...query })
  const hasOlder = data.length === size && last > 0
  return (
    <>
      <Pager
        newest={before === undefined ? undefined : to({})}
        newer={before === undefined || id !== '' ? undefined : to({ before: Number(before) + size })}
        older={hasOlder ? to({ before: last }) : undefined}
        oldest={hasOlder && id === '' ? to({ before: size }) : undefined}
      />
      <TxTable rows={data} />
    </>
  )
}

export function Transactions({ query: { before } }: PageProps) {
  return <PagedTransactions path="/transactions" page="transactions" before={before} />
}
