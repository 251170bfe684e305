/** Opens pages in the browser of the person at the desk. */
import { spawn } from 'node:child_process'

/** Opens a URL. Where no browser can be started, nothing happens: the URL stands in the banner. */
export function openInBrowser(url: string): void {
  if (url === '') return
  const [command, ...words] = openerOf(process.platform)
  const child = spawn(command, [...words, url], { detached: true, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
}

/** Returns the program of a platform that opens URLs, with its words before the URL. */
export function openerOf(platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open']
  // `start` is a word of cmd; the empty text is the title of a window.
  return platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
}
