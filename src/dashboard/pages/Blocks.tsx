/** The paged list of all blocks. */
import { type PageProps, linkTo } from '../core/router.ts'
import { height } from '../core/live.ts'
import type { Block } from '../core/shapes.ts'
import { useData } from '../core/useData.ts'
import { cursorQuery, pageSize } from '../parts/PageLinks.tsx'
import { Pending } from '../parts/basics.tsx'
import { Pager } from '../parts/Pager.tsx'
import { BlockCharts } from './charts.tsx'
import { BlockTable } from './lists.tsx'

export function Blocks({ query: { before } }: PageProps) {
  const { data, error } = useData<readonly Block[]>(
    `/blocks?limit=${pageSize}${cursorQuery({ before })}`,
    before === undefined,
  )
  if (data === undefined) return <Pending error={error} />
  const [first, last] = [data[0]?.height ?? 0, data.at(-1)?.height ?? 0]
  const newer = first + pageSize + 1
  return (
    <>
      <BlockCharts blocks={data} />
      <Pager
        newest={before === undefined ? undefined : linkTo('blocks')}
        newer={
          before === undefined
            ? undefined
            : newer > height.value
              ? linkTo('blocks')
              : linkTo('blocks', '', { before: newer })
        }
        older={last > 1 && data.length === pageSize ? linkTo('blocks', '', { before: last }) : undefined}
        oldest={last > 1 && data.length === pageSize ? linkTo('blocks', '', { before: pageSize + 1 }) : undefined}
      />
      <BlockTable rows={data} />
    </>
  )
}
