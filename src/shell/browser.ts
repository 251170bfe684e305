/** Opens pages in the user's browser. */
import { spawn } from 'node:child_process'

/** Opens a URL. Does nothing if no browser can be started: the banner shows the URL. */
export function openInBrowser(url: string): void {
  if (url === '') return
  const [command, ...words] = openerOf(process.platform)
  const child = spawn(command, [...words, url], { detached: true, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
}

/** Returns the command of a platform that opens URLs, with the arguments before the URL. */
export function openerOf(platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open']
  // `start` is a built-in command of cmd; its first argument is a window title.
  return platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
}
