/** The tabs of a page; the URL holds the selected one. */
import { useEffect, useRef } from 'preact/hooks'
import { go, linkTo, route } from '../core/router.ts'

/** Returns the tab in the URL, or else the first tab. */
export function tabOf(tabs: readonly (readonly [string, string])[]): string {
  const asked = route.value.query['tab'] ?? ''
  return tabs.some(([id]) => id === asked) ? asked : (tabs[0]?.[0] ?? '')
}

export function Tabs({ tabs, label }: { tabs: readonly (readonly [string, string])[]; label: string }) {
  const { page, id } = route.value
  const current = tabOf(tabs)
  const chosen = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const tab = chosen.current?.querySelector<HTMLElement>('[aria-selected=true]')
    if (tab !== null && tab !== undefined) chosen.current?.scrollTo({ left: tab.offsetLeft - 48 })
  }, [current])
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    const at = tabs.findIndex(([one]) => one === current)
    const next = tabs[(at + step + tabs.length) % tabs.length]
    if (next === undefined) return
    event.preventDefault()
    go(page, id, { tab: next[0] })
    document.getElementById(`tab-${next[0]}`)?.focus()
  }
  return (
    <div ref={chosen} class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(([one, title]) => (
        <a
          key={one}
          id={`tab-${one}`}
          role="tab"
          aria-selected={one === current}
          aria-controls="tabpanel"
          tabIndex={one === current ? 0 : -1}
          href={linkTo(page, id, { tab: one })}
        >
          {title}
        </a>
      ))}
    </div>
  )
}
