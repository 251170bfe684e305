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
export const hasSelection = signal(false)
/** Whether a pointer is down: a row that moves between press and release loses its click. */
const isPressed = signal(false)
/** A release outside the window is never seen, so a press holds updates for this long at most. */
const pressMostMs = 5000

/** Whether pages keep what they show. */
export const isHeld = computed(() => hasSelection.value || isPressed.value)

/** Grows when shown blocks may be gone: after a restart, a restore, a reset or a reorg. */
export const rewrites = signal(0)

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
    const before = status.value
    const next = JSON.parse((event as MessageEvent<string>).data) as Status
    status.value = next
    link.value = 'live'
    if (before !== undefined && before.instanceId !== next.instanceId) say('The chain was restarted.')
    if (before !== undefined && isRewritten(before, next)) rewrites.value += 1
    refresh()
  })
  source.addEventListener('error', () => {
    link.value = 'lost'
  })
  document.addEventListener('visibilitychange', refresh)
  document.addEventListener('selectionchange', () => {
    hasSelection.value = isSelected()
  })
  followPointer()
  effect(() => {
    if (!isHeld.value) refresh()
  })
}

function isRewritten(before: Status, next: Status): boolean {
  if (before.instanceId !== next.instanceId || before.height > next.height) return true
  if (before.height === next.height) return before.hash !== next.hash
  return before.height + 1 === next.height && before.hash !== next.parentHash
}

/** Holds updates from press to release; the click comes after the release. */
function followPointer(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const release = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      isPressed.value = false
    })
  }
  addEventListener('pointerdown', () => {
    clearTimeout(timer)
    isPressed.value = true
    timer = setTimeout(release, pressMostMs)
  })
  for (const type of ['pointerup', 'pointercancel', 'dragend', 'blur']) addEventListener(type, release)
}

function isSelected(): boolean {
  const selection = getSelection()
  if (selection === null || selection.isCollapsed || selection.anchorNode === null) return false
  return document.getElementById('content')?.contains(selection.anchorNode) === true
}

export const height = computed(() => status.value?.height ?? 0)

/** The name of the chain's coin. */
export const coin = computed(() => status.value?.coin?.symbol ?? 'tokens')
