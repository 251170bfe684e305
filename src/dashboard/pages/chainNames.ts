/** Names and URLs of the chains of this process. */

/** Returns the name of a chain as the pages show it; the main chain is the session ''. */
export function titleOf(session: string): string {
  return session === '' ? 'Main chain' : session
}

/** Returns the URL of a page of the dashboard on a chain. */
export function pageUrl(session: string, page = 'overview'): string {
  return `${session === '' ? '' : `/s/${session}`}/#/${page}`
}
