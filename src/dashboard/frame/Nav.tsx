/** The navigation: the pages by group. */
import { signal } from '@preact/signals'
import { number } from '../core/format.ts'
import { status } from '../core/live.ts'
import { linkTo } from '../core/router.ts'
import { groups, isListed, listed, type Page } from './pages.tsx'

/** Whether the page menu is open; on narrow screens, a button opens it. */
export const isMenuOpen = signal(false)

export function Nav({ current }: { current: Page }) {
  return (
    <nav id="panels" aria-label="Pages" class={isMenuOpen.value ? 'open' : ''}>
      {groups.map((group) => (
        <section key={group}>
          <h2>{group}</h2>
          {listed
            .filter((page) => page.group === group && isListed(page, status.value))
            .map((page) => (
              <a
                key={page.id}
                href={linkTo(page.id)}
                aria-current={(current.under ?? current.id) === page.id ? 'page' : undefined}
                aria-keyshortcuts={page.key}
                onClick={() => {
                  isMenuOpen.value = false
                }}
              >
                {page.title}
                <Count page={page} />
              </a>
            ))}
        </section>
      ))}
    </nav>
  )
}

function Count({ page }: { page: Page }) {
  const now = status.value
  const count = now === undefined ? undefined : page.count?.(now)
  if (count === undefined || count === 0 || count === '') return null
  return <span class="count">{typeof count === 'number' ? number(count) : count}</span>
}
