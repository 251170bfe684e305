/** The basic parts of pages: hashes, addresses, links, pills and fields. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Failure } from '../core/api.ts'
import { number } from '../core/format.ts'
import { linkTo } from '../core/router.ts'
import { labels } from '../core/labels.ts'
import { say } from '../core/said.ts'

export type Kind = 'good' | 'bad' | 'warn' | 'info' | ''

/** A word with a color of the same meaning. */
export function Pill({ kind = '', children }: { kind?: Kind; children: ComponentChildren }) {
  return <span class={`pill ${kind}`}>{children}</span>
}

/** A hash or address shortened to its start and end; selecting it copies the whole text. */
export function Short({ text, head = 8, tail = 6 }: { text: string; head?: number; tail?: number }) {
  if (text.length <= head + tail + 2) return <span class="mono">{text}</span>
  return (
    <span class="mono short" title={text}>
      {text.slice(0, head)}
      <span class="mid">{text.slice(head, -tail)}</span>
      {text.slice(-tail)}
    </span>
  )
}

export function TxLink({ hash, whole }: { hash: string; whole?: boolean }) {
  return (
    <a href={linkTo('tx', hash)} draggable={false} data-key={`tx-${hash}`} class={whole === true ? 'mono break' : ''}>
      {whole === true ? hash : <Short text={hash} />}
    </a>
  )
}

export function BlockLink({ height }: { height: number }) {
  return (
    <a href={linkTo('block', String(height))} draggable={false} data-key={`block-${height}`}>
      {number(height)}
    </a>
  )
}

type Named = { readonly address: string | null; readonly whole?: boolean; readonly bare?: boolean }

/** An address with its label, if it has one and `bare` is not set. */
export function AddressLink({ address, whole, bare }: Named) {
  if (address === null || address === '') return <>–</>
  const label = bare === true ? undefined : labels.value.get(address.toLowerCase())
  return (
    <span class="address">
      {label === undefined ? null : <span class="label">{label}</span>}
      <a href={linkTo('address', address)} draggable={false} class={whole === true ? 'mono break' : ''}>
        {whole === true ? address : <Short text={address} head={6} tail={4} />}
      </a>
    </span>
  )
}

/** A button that copies a text and confirms it. */
export function Copy({ text, what, children }: { text: string; what: string; children?: ComponentChildren }) {
  const [isDone, setDone] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setDone(true)
      setTimeout(() => setDone(false), 1500)
      say(`Copied ${what}.`)
    } catch {
      say(`The browser blocked copying ${what}.`, true)
    }
  }
  return (
    <button
      type="button"
      class="copy"
      aria-label={children === undefined ? `Copy ${what}` : undefined}
      title={`Copy ${what}`}
      onClick={copy}
    >
      {children ?? <CopyIcon isDone={isDone} />}
    </button>
  )
}

function CopyIcon({ isDone }: { isDone: boolean }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      {isDone ? <path d="M3 8.5l3.5 3.5L13 4.5" /> : <path d="M5.5 5.5v-3h8v8h-3m-8-5h8v8h-8z" />}
    </svg>
  )
}

export type Pair = readonly [string, ComponentChildren]

/** Names with their values; pairs without a value are omitted. */
export function Fields({ pairs }: { pairs: readonly Pair[] }) {
  return (
    <dl class="fields">
      {pairs
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** A value as indented JSON; a string that contains JSON is indented too. */
export function Json({ value, label }: { value: unknown; label: string }) {
  return (
    <pre class="json" tabIndex={0} role="region" aria-label={label}>
      {laidOut(value)}
    </pre>
  )
}

function laidOut(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2) ?? ''
  try {
    return JSON.stringify(JSON.parse(value), null, 2)
  } catch {
    return value
  }
}

export function Folded({ title, value }: { title: string; value: unknown }) {
  return (
    <details>
      <summary>{title}</summary>
      <Json value={value} label={title} />
    </details>
  )
}

/** The placeholder for an empty list, with a hint on what to do next. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="card empty">
      <strong>{title}</strong>
      <p>{children}</p>
    </div>
  )
}

/** What is shown in place of something that cannot be shown. */
export function Problem({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="card empty" role="alert">
      <strong>{title}</strong>
      {children}
    </div>
  )
}

/** An error, or a loading message until the first response. */
export function Pending({ error }: { error: Failure | undefined }) {
  if (error === undefined) return <p class="hint loading">Loading…</p>
  const titles: Readonly<Record<number, string>> = { 0: 'Disconnected', 404: 'Not found' }
  return (
    <Problem title={titles[error.status] ?? 'Not available'}>
      <p>{error.message}</p>
    </Problem>
  )
}

/** A text in full, such as a hash, with a button that copies it. */
export function CopyableText({ text, what }: { text: string; what: string }) {
  return (
    <span class="mono break">
      {text} <Copy text={text} what={what} />
    </span>
  )
}
