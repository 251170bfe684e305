/** The search box for heights, hashes, addresses and names of all kinds. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { get } from '../core/api.ts'
import { go } from '../core/router.ts'
import { say } from '../core/said.ts'

type Hit = { readonly kind: string; readonly id: string; readonly title: string }

const waitMs = 120
/** Preact's types allow this role only with a `list` attribute, which this box replaces. */
const combobox = { role: 'combobox' } as object

/** Opens the page of a search result. */
function follow({ kind, id }: Hit): void {
  const pages: Readonly<Record<string, () => void>> = {
    block: () => go('block', id),
    transaction: () => go('tx', id),
    address: () => go('address', id),
    label: () => go('address', id),
    validator: () => go('address', id, { tab: 'staking' }),
    proposal: () => go('proposal', id),
    contract: () => go('address', id, { tab: 'contract' }),
    function: () => go('address', id, { tab: 'contract' }),
    method: () => go('requests', '', { method: id }),
    fault: () => go('faults'),
    step: () => go('scenario'),
  }
  pages[kind]?.()
}

type Found = { readonly asked: string; readonly hits: readonly Hit[] }
const none: Found = { asked: '', hits: [] }

/** Returns search results after a pause in typing, with the text that they are for. */
function useHits(asked: string): Found {
  const [found, setFound] = useState(none)
  useEffect(() => {
    if (asked === '') {
      setFound(none)
      return undefined
    }
    let isOld = false
    const timer = setTimeout(() => {
      hitsOf(asked).then(
        (hits) => {
          if (!isOld) setFound({ asked, hits })
        },
        () => {},
      )
    }, waitMs)
    return () => {
      isOld = true
      clearTimeout(timer)
    }
  }, [asked])
  return found
}

function hitsOf(asked: string): Promise<readonly Hit[]> {
  return get(`/search?q=${encodeURIComponent(asked)}`)
}

function Hits({ hits, at, choose }: { hits: readonly Hit[]; at: number; choose: (hit: Hit) => void }) {
  return (
    <ul id="hits" role="listbox" aria-label="Search results" hidden={hits.length === 0}>
      {hits.map((hit, index) => (
        <li
          key={`${hit.kind} ${hit.id} ${hit.title}`}
          id={`hit-${index}`}
          role="option"
          aria-selected={index === at}
          onMouseDown={(event) => {
            event.preventDefault()
            choose(hit)
          }}
        >
          <span class="pill">{hit.kind}</span> <span class="mono">{hit.title}</span>
        </li>
      ))}
    </ul>
  )
}

export function Search() {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const asked = text.trim()
  const found = useHits(asked)
  const { hits } = found
  useEffect(() => setAt(0), [asked, hits])
  const choose = (hit: Hit) => {
    setText('')
    input.current?.blur()
    follow(hit)
  }
  const submit = async () => {
    // The results on screen may be those of an earlier text. A result chosen by an arrow key counts.
    const isShown = (found.asked === asked || at > 0) && hits[at] !== undefined
    const hit = isShown ? hits[at] : (await hitsOf(asked))[0]
    if (hit === undefined)
      say(
        `No results for "${asked}". Enter a height, hash or address, or the name of an account, contract, function, validator, proposal, step, fault or method.`,
        true,
      )
    else choose(hit)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      if (hits.length > 0) setAt((at + step + hits.length) % hits.length)
    } else if (event.key === 'Escape') {
      setText('')
      input.current?.blur()
    }
  }
  return (
    <form
      id="searchbox"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        if (asked !== '') submit().catch((error: Error) => say(error.message, true))
      }}
    >
      <input
        ref={input}
        id="search"
        type="search"
        {...combobox}
        aria-label="Search"
        aria-expanded={hits.length > 0}
        aria-controls="hits"
        aria-autocomplete="list"
        aria-activedescendant={hits.length > 0 ? `hit-${at}` : undefined}
        aria-keyshortcuts="/"
        placeholder="Height, hash, address or name"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={press}
      />
      <kbd aria-hidden="true">/</kbd>
      <Hits hits={hits} at={at} choose={choose} />
    </form>
  )
}
