/** The paged list of all transactions. */
import { type PageProps, linkTo } from '../core/router.ts'
import type { Tx } from '../core/shapes.ts'
import { useData } from '../core/useData.ts'
import { Pending } from '../parts/basics.tsx'
import { cursorQuery, isNewest, NumberedPager, type Cursor, pageSize } from '../parts/PageLinks.tsx'
import { TxTable } from './lists.tsx'

type Paged = { readonly path: string; readonly page: string; readonly id?: string; readonly cursor: Cursor }

/** Lists the transactions of the chain or of one address, paged by transaction number. */
export function PagedTransactions({ path, page, id = '', cursor, tab }: Paged & { readonly tab?: string }) {
  const { data, error } = useData<readonly Tx[]>(`${path}?limit=${pageSize}${cursorQuery(cursor)}`, isNewest(cursor))
  if (data === undefined) return <Pending error={error} />
  const [first, last] = [data[0]?.number ?? 0, data.at(-1)?.number ?? 0]
  const isUp = cursor.from !== undefined
  const isFull = data.length === pageSize
  return (
    <>
      <NumberedPager
        cursor={cursor}
        next={last > 0 && (isUp ? Number(cursor.from) > 0 : isFull) ? last : null}
        newer={data.length > 0 && (!isUp || isFull) ? first + 1 : null}
        link={(query) => linkTo(page, id, { ...(tab === undefined ? {} : { tab }), ...query })}
      />
      <TxTable rows={data} />
    </>
  )
}

export function Transactions({ query: { before, from } }: PageProps) {
  return <PagedTransactions path="/transactions" page="transactions" cursor={{ before, from }} />
}
