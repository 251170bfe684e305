/** Data from the control API, kept current while the chain changes. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Failure, get } from './api.ts'
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
type Liveness<Body> = boolean | 'slowly' | ((data: Body) => boolean)

type State<Body> = { readonly path: string; readonly data: Body | undefined; readonly error: Failure | undefined }

/**
 * Returns the response of a control API path and keeps it current. It is read again on every beat
 * (`true`), on every tenth (`'slowly'`), or only after blocks were replaced or a read failed
 * (`false`). A function chooses between `true` and `false`. The page keeps its data while text is
 * selected or a pointer is down, and when a later read fails, except with 404. The path `undefined`
 * reads nothing.
 */
export function useData<Body>(path: string | undefined, isLive: Liveness<Body> = true): Loaded<Body> {
  const [state, setState] = useState<State<Body>>({ path: '', data: undefined, error: undefined })
  const [asked, setAsked] = useState(0)
  const isMissing = state.path === path && state.error !== undefined
  const now = timeOf(isMissing || pace(isLive, state.data))
  const busy = useRef({ path: '', isStale: false, isGone: false })
  useEffect(() => {
    if (path === undefined || (isHeld.value && state.path === path)) return
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

  async function read(wanted: string): Promise<void> {
    const job = busy.current
    job.path = wanted
    job.isStale = false
    const next = await get<Body>(wanted).then(
      (data) => ({ path: wanted, data, error: undefined }),
      (error: Failure) => ({ path: wanted, data: undefined, error }),
    )
    if (job.isGone || job.path !== wanted) return
    job.path = ''
    setState((before) => {
      if (before.path !== wanted) return next
      if (isHeld.value) return before
      const isGone = next.error?.status === 404
      return next.error === undefined || isGone ? next : { ...next, data: before.data }
    })
    if (job.isStale) setAsked((count) => count + 1)
  }

  const isOwn = state.path === path
  return {
    data: isOwn ? state.data : undefined,
    error: isOwn ? state.error : undefined,
    again: () => setAsked((count) => count + 1),
  }
}

function pace<Body>(isLive: Liveness<Body>, data: Body | undefined): boolean | 'slowly' {
  return typeof isLive === 'function' ? data !== undefined && isLive(data) : isLive
}

/** Returns a value that changes when the data should be read again. */
function timeOf(isLive: boolean | 'slowly'): string {
  const beats = isLive === 'slowly' ? Math.floor(beat.value / slowBeats) : isLive ? beat.value : 0
  return `${rewrites.value} ${beats}`
}
