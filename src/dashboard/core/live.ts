/** Live updates: the status of the chain, and the beat on which pages reload their data. */
import { computed, effect, signal } from '@preact/signals'
import { liveUrl } from './api.ts'
import type { Status } from './shapes.ts'
import { say } from './said.ts'

export const status = signal<Status | undefined>(undefined)
export const link = signal<'connecting' | 'live' | 'lost'>('connecting')

/** Pages reload their data when this counter grows, at most every `beatMs` milliseconds. */
export const beat = signal(0)
const beatMs = 500

/** Whether text on the page is selected, which an update would deselect. */
export const hasSelection = signal(false)
/** Whether a pointer is down: a row that moves between press and release loses its click. */
const isPressed = signal(false)
/**
 * The longest time that a press holds updates, because a release outside the window goes unseen.
 */
const pressMostMs = 5000

/** Whether updates are held, so that pages keep their current content. */
export const isHeld = computed(() => hasSelection.value || isPressed.value)

/** A counter that grows when shown blocks may be gone: after a restart, restore, reset or reorg. */
export const rewrites = signal(0)

let waiting: ReturnType<typeof setTimeout> | undefined
let lastMs = 0

/** Makes pages reload their data soon; a hidden page waits until it is visible. */
export function refresh(): void {
  if (waiting !== undefined || document.hidden) return
  const inMs = Math.max(0, lastMs + beatMs - performance.now())
  waiting = setTimeout(() => {
    waiting = undefined
    lastMs = performance.now()
    beat.value += 1
  }, inMs)
}

/** The pause before a page asks again for updates that were refused. */
const retryMs = 3000

/** Subscribes to the chain's updates until the user leaves the page. */
export function listen(): void {
  follow()
  document.addEventListener('visibilitychange', refresh)
  document.addEventListener('selectionchange', () => {
    hasSelection.value = isSelected()
  })
  followPointer()
  effect(() => {
    if (!isHeld.value) refresh()
  })
}

function follow(): void {
  const source = new EventSource(liveUrl)
  source.addEventListener('changed', (event) => {
    const before = status.value
    const next = JSON.parse((event as MessageEvent<string>).data) as Status
    status.value = next
    link.value = 'live'
    if (before !== undefined && before.instanceId !== next.instanceId) say('The chain restarted.')
    if (before !== undefined && isRewritten(before, next)) rewrites.value += 1
    refresh()
  })
  source.addEventListener('error', () => {
    link.value = 'lost'
    // A browser tries again after a lost connection, but not after a refusal: a session may come back.
    if (source.readyState === EventSource.CLOSED) setTimeout(follow, retryMs)
  })
}

/** The first update of a connection cannot tell, so that any other block counts. */
function isRewritten(before: Status, next: Status): boolean {
  return before.instanceId !== next.instanceId || (next.isRewritten ?? before.hash !== next.hash)
}

/** Holds updates from press until after release, because the click follows the release. */
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

/** The symbol of the chain's coin. */
export const coin = computed(() => status.value?.coin?.symbol ?? 'tokens')
