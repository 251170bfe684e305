/** Links between the pages of a list, each a permalink. */
import type { ComponentChildren } from 'preact'

type Links = {
  /** Absent on the newest page. */
  readonly newest?: string | undefined
  readonly newer?: string | undefined
  readonly older?: string | undefined
  readonly oldest?: string | undefined
  /** The labels of the links, for lists that are not ordered by time. */
  readonly names?: readonly [newest: string, newer: string, older: string, oldest: string]
  readonly children?: ComponentChildren
}

export function Pager({
  newest,
  newer,
  older,
  oldest,
  names = ['Newest', 'Newer', 'Older', 'Oldest'],
  children,
}: Links) {
  return (
    <nav class="pager" aria-label="Pagination">
      <To href={newest}>{names[0]}</To>
      <To href={newer}>{names[1]}</To>
      <span class="hint">{children}</span>
      <To href={older}>{names[2]}</To>
      <To href={oldest}>{names[3]}</To>
    </nav>
  )
}

function To({ href, children }: { href: string | undefined; children: string }) {
  return href === undefined ? null : (
    <a class="button" href={href}>
      {children}
    </a>
  )
}
