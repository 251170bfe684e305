/** Data from the control API, kept current while the chain changes. */
import { effect } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Failure, get, session } from './api.ts'
import { beat, isHeld, rewrites } from './live.ts'

export type Loaded<Body> = {
  readonly data: Body | undefined
  readonly error: Failure | undefined
  /** Reads the data again immediately. */
  readonly again: () => void
}

/** The number of beats between slow reads; reading all contracts is expensive for the chain. */
const slowBeats = 10

/** How often to read again; a function decides from the latest data. */
type Liveness<Body> = boolean | 'slowly' | 'timed' | ((data: Body) => boolean)
/** The time without a read after which timed data is read again. */
const timedMs = 1000

type State<Body> = { readonly path: string; readonly data: Body | undefined; readonly error: Failure | undefined }

/**
 * Returns the response of a control API path and keeps it current. It is read again on every beat
 * (`true`), on every tenth (`'slowly'`), or only after blocks were replaced or a read failed
 * (`false`). A function chooses between `true` and `false`; `'timed'` is `true`, and without beats
 * reads once a second, for what changes with the clock and for chains that send this page no beats.
 * The page keeps its data while text is selected or a pointer is down, and when a later read fails,
 * except with 404. The path `undefined` reads nothing. `of` is the session to ask, by default the
 * page's.
 */
export function useData<Body>(
  path: string | undefined,
  isLive: Liveness<Body> = true,
  of: string = session,
): Loaded<Body> {
  const [state, setState] = useState<State<Body>>({ path: '', data: undefined, error: undefined })
  const [asked, setAsked] = useState(0)
  const isMissing = state.path === path && state.error !== undefined
  const now = timeOf(isMissing || pace(isLive, state.data))
  const busy = useRef({ path: '', isStale: false, isGone: false, isMissed: false })
  useEffect(() => {
    if (path === undefined) return
    if (isHeld.value && state.path === path) {
      busy.current.isMissed = true
      return
    }
    if (busy.current.path === path) {
      busy.current.isStale = true
      return
    }
    void read(path)
  }, [path, now, asked])
  useEffect(() => {
    busy.current.isGone = false
    return () => {
      busy.current.isGone = true
    }
  }, [])
  // Each read begins the time anew. Of a page that was hidden, the next beat does: it comes when the page is shown.
  useEffect(() => {
    if (isLive !== 'timed') return undefined
    const timer = setTimeout(() => !document.hidden && again(), timedMs)
    return () => clearTimeout(timer)
  }, [path, now, asked])

  useAfterHold(busy, again)

  function again(): void {
    setAsked((count) => count + 1)
  }

  async function read(wanted: string): Promise<void> {
    const job = busy.current
    job.path = wanted
    job.isStale = false
    const next = await get<Body>(wanted, of).then(
      (data) => ({ path: wanted, data, error: undefined }),
      (error: Failure) => ({ path: wanted, data: undefined, error }),
    )
    if (job.isGone || job.path !== wanted) return
    job.path = ''
    setState((before) => {
      if (before.path !== wanted) return next
      if (isHeld.value) {
        job.isMissed = true
        return before
      }
      const isGone = next.error?.status === 404
      return next.error === undefined || isGone ? next : { ...next, data: before.data }
    })
    if (job.isStale) again()
  }

  const isOwn = state.path === path
  return {
    data: isOwn ? state.data : undefined,
    error: isOwn ? state.error : undefined,
    again,
  }
}

/** Calls `again` when a hold ends in which a read was missed; not every path is read on the next beat. */
function useAfterHold(job: { readonly current: { isMissed: boolean } }, again: () => void): void {
  useEffect(
    () =>
      effect(() => {
        if (isHeld.value || !job.current.isMissed) return
        job.current.isMissed = false
        again()
      }),
    [],
  )
}

function pace<Body>(isLive: Liveness<Body>, data: Body | undefined): boolean | 'slowly' {
  if (typeof isLive === 'function') return data !== undefined && isLive(data)
  return isLive === 'timed' || isLive
}

/** Returns the data of a path, or the last data of an earlier path until the new one is read. */
export function useKept<Body>(data: Body | undefined): Body | undefined {
  const kept = useRef(data)
  if (data !== undefined) kept.current = data
  return kept.current
}

/** Returns a value that changes when the data should be read again. */
function timeOf(isLive: boolean | 'slowly'): string {
  const beats = isLive === 'slowly' ? Math.floor(beat.value / slowBeats) : isLive ? beat.value : 0
  return `${rewrites.value} ${beats}`
}
