/** What changes while the page is open: the status of the chain and the beat at which pages read again. */
import { computed, effect, signal } from '@preact/signals'
import { liveUrl } from './api.ts'
import type { Status } from './shapes.ts'
import { say } from './said.ts'

export const status = signal<Status | undefined>(undefined)
export const link = signal<'connecting' | 'live' | 'lost'>('connecting')

/** Pages read again when this grows, at most every `beatMs`. */
export const beat = signal(0)
const beatMs = 500

/** Whether text of a page is selected: an update would take it away. */
export const isHeld = signal(false)

let waiting: ReturnType<typeof setTimeout> | undefined
let lastMs = 0

/** Makes pages read again soon; a page that nobody sees waits until it is shown. */
export function refresh(): void {
  if (waiting !== undefined || document.hidden) return
  const inMs = Math.max(0, lastMs + beatMs - performance.now())
  waiting = setTimeout(() => {
    waiting = undefined
    lastMs = performance.now()
    beat.value += 1
  }, inMs)
}

/** Follows the chain until the page is left. */
export function listen(): void {
  const source = new EventSource(liveUrl)
  source.addEventListener('changed', (event) => {
    const before = status.value?.instanceId
    const next = JSON.parse((event as MessageEvent<string>).data) as Status
    status.value = next
    link.value = 'live'
    if (before !== undefined && before !== next.instanceId) say('The chain was restarted.')
    refresh()
  })
  source.addEventListener('error', () => {
    link.value = 'lost'
  })
  document.addEventListener('visibilitychange', refresh)
  document.addEventListener('selectionchange', () => {
    isHeld.value = isSelected()
  })
  effect(() => {
    if (!isHeld.value) refresh()
  })
}

function isSelected(): boolean {
  const selection = getSelection()
  if (selection === null || selection.isCollapsed || selection.anchorNode === null) return false
  return document.getElementById('content')?.contains(selection.anchorNode) === true
}

export const height = computed(() => status.value?.height ?? 0)

/** The name of the chain's coin. */
export const coin = computed(() => status.value?.coin?.symbol ?? 'tokens')
