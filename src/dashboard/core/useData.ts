/** Reads of the control API that stay true while the chain changes. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { get } from './api.ts'
import { beat, isHeld } from './live.ts'

export type Loaded<Body> = {
  readonly data: Body | undefined
  readonly error: string | undefined
  /** Reads again at once. */
  readonly again: () => void
}

/** What reads all contracts costs the chain too much to be read with every beat. */
const slowBeats = 10

type State<Body> = { readonly path: string; readonly data: Body | undefined; readonly error: string | undefined }

/**
 * Returns what a path answers, read again with every beat, with every tenth (`slowly`), or never
 * (false). While text is selected the page keeps what it shows. `undefined` reads nothing.
 */
export function useData<Body>(path: string | undefined, isLive: boolean | 'slowly' = true): Loaded<Body> {
  const [state, setState] = useState<State<Body>>({ path: '', data: undefined, error: undefined })
  const [asked, setAsked] = useState(0)
  const now = isLive === 'slowly' ? Math.floor(beat.value / slowBeats) : isLive ? beat.value : 0
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
      (error: Error) => ({ path: wanted, data: undefined, error: error.message }),
    )
    if (job.isGone || job.path !== wanted) return
    job.path = ''
    setState((before) => (isHeld.value && before.path === wanted ? before : next))
    if (job.isStale) setAsked((count) => count + 1)
  }

  const isOwn = state.path === path
  return {
    data: isOwn ? state.data : undefined,
    error: isOwn ? state.error : undefined,
    again: () => setAsked((count) => count + 1),
  }
}
