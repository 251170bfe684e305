/** Returns memory to the system that only a start needs: about a sixth of what is in use after it. */

const lookEveryMs = 100
const quietLooks = 4

/**
 * Waits until a chain has not been used for a moment, then returns unused memory to the system once.
 * V8 alone does so ten seconds later. Returns a function that ends the waiting.
 *
 * After a second of computing, the last use is a second ago, though the client may be about to go on.
 * So a chain counts as unused only when it finds that four times in a row: collecting 100 MB takes up to
 * half a second, for which the client would wait.
 */
export function releaseStartMemory(idleMs: () => number, release = collected): () => void {
  let quiet = 0
  const timer = setInterval(() => {
    quiet = idleMs() < lookEveryMs ? 0 : quiet + 1
    if (quiet < quietLooks) return
    clearInterval(timer)
    // It only saves memory: a Node without an inspector goes on without it.
    release().catch(() => {})
  }, lookEveryMs).unref()
  return () => clearInterval(timer)
}

async function collected(): Promise<void> {
  const { collectGarbage } = await import('./collectGarbage.ts')
  await collectGarbage()
}
