import type { ComponentChildren } from 'preact'
import { useErrorBoundary } from 'preact/hooks'
import { Problem } from '../parts/basics.tsx'

/** Shows an error of the page in its place: the frame and the other pages go on. */
export function PageGuard({ children }: { children: ComponentChildren }) {
  const [error, tryAgain] = useErrorBoundary((caught: unknown) => console.error(caught))
  if (error === undefined) return <>{children}</>
  return (
    <Problem title="This page cannot be shown">
      <p>A bug in the dashboard: {String(error)}. The chain and the other pages are not affected.</p>
      <p>
        <button type="button" onClick={tryAgain}>
          Try again
        </button>
      </p>
    </Problem>
  )
}
