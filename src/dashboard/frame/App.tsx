/** The frame around every page. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { session } from '../core/api.ts'
import { close, dialog } from '../core/dialog.tsx'
import { number } from '../core/format.ts'
import { hasSelection, link, status } from '../core/live.ts'
import { route } from '../core/router.ts'
import { said } from '../core/said.ts'
import { Playing } from '../parts/Playing.tsx'
import { Controls } from './Controls.tsx'
import { Nav } from './Nav.tsx'
import { PageGuard } from './PageGuard.tsx'
import { TopBar } from './TopBar.tsx'
import { isListed, pageOfRoute } from './pages.tsx'

export function App() {
  const page = pageOfRoute(route.value)
  const { problems = [], height, playback = null } = status.value ?? {}
  useEffect(() => {
    const place = session === '' ? '' : ` · ${session}`
    document.title = `${page.heading(route.value)} · ${number(height ?? 0)} · chainstage${place}`
  })
  useFocusOn(`${page.id}/${route.value.id}`)
  const View = page.view
  return (
    <>
      <a class="skip" href="#content" onClick={skip}>
        Skip to content
      </a>
      <TopBar />
      {problems.length === 0 ? null : (
        <div id="problems" role="alert">
          {problems.map(({ source, text }) => (
            <div key={source}>
              <strong>{source} could not be applied. The last valid version stays active.</strong>
              <pre>{text}</pre>
            </div>
          ))}
        </div>
      )}
      <div id="body">
        <Nav current={page} />
        <div id="side">
          <Controls />
          <Said />
          <main id="content" tabIndex={-1} aria-labelledby="paneltitle" data-panel={page.id}>
            <div class="panelhead">
              <h1 id="paneltitle" tabIndex={-1}>
                {page.heading(route.value)}
              </h1>
              {page.hint === undefined ? null : <span class="hint">{page.hint}</span>}
              {hasSelection.value ? (
                <span class="pill info held">Updates are paused while text is selected</span>
              ) : null}
              {link.value === 'lost' ? (
                <span class="pill bad" role="status">
                  Disconnected at height {number(height ?? 0)}
                </span>
              ) : null}
            </div>
            {playback !== null && !isListed(page, status.value) ? (
              <Playing recording={playback} />
            ) : (
              <PageGuard key={`${page.id}/${route.value.id}`}>
                <View id={route.value.id} query={route.value.query} />
              </PageGuard>
            )}
          </main>
        </div>
      </div>
      <DialogBox />
    </>
  )
}

/** Focuses the page heading after navigation, so that Tab and screen readers start there. */
function useFocusOn(place: string): void {
  const before = useRef(place)
  useEffect(() => {
    if (before.current === place) return
    before.current = place
    // Whoever has begun a search while the page opened continues to type.
    if (document.activeElement?.id === 'search') return
    document.getElementById('paneltitle')?.focus({ preventScroll: true })
  }, [place])
}

/**
 * Shows all messages in one element: screen readers ignore the text of a newly added live region.
 */
function Said() {
  const { text, isBad, at } = said.value
  // A repeated message must differ from the last one, or screen readers do not announce it.
  const isSecond = at % 2 === 1
  return (
    <div id="said" role="status" aria-live="polite" class={isBad ? 'bad' : ''}>
      {text}
      {isSecond ? '\u00a0' : ''}
    </div>
  )
}

function skip(event: Event): void {
  event.preventDefault()
  document.getElementById('content')?.focus()
}

function DialogBox() {
  const box = useRef<HTMLDialogElement>(null)
  /** Whether the last press began outside the content: text selected in a field may be dragged there. */
  const isPressed = useRef(false)
  const shown = dialog.value
  // Runs before the browser paints, so that the dialog is already open for the next key press.
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    if (shown === undefined) element.close()
    else {
      if (!element.open) element.showModal()
      element.querySelector<HTMLElement>('.dialogbody :is(input, textarea, select, button)')?.focus()
    }
  }, [shown])
  return (
    <dialog
      ref={box}
      id="detail"
      aria-labelledby="detailtitle"
      onClose={() => {
        // Browsers send this event later: by then the box may show the next dialog.
        if (box.current?.open !== true) close()
      }}
      onPointerDown={(event) => {
        isPressed.current = event.target === box.current
      }}
      onClick={(event) => {
        if (event.target === box.current && isPressed.current) close()
      }}
    >
      {shown === undefined ? null : (
        <>
          <header>
            <h2 id="detailtitle">{shown.title}</h2>
            <button type="button" class="quiet" onClick={close} aria-label="Close the dialog">
              ✕
            </button>
          </header>
          <div class="dialogbody">{shown.body}</div>
        </>
      )}
    </dialog>
  )
}
