/** Returns memory to the system that only a start needs: about a sixth of what is in use after it. */

const quietMs = 400

/**
 * Waits until a chain has not been used for a moment, then returns unused memory to the system once.
 * V8 alone does so ten seconds later. Returns a function that ends the waiting.
 */
export function releaseStartMemory(idleMs: () => number, release = collected): () => void {
  const timer = setInterval(() => {
    if (idleMs() < quietMs) return
    clearInterval(timer)
    // It only saves memory: a Node without an inspector goes on without it.
    release().catch(() => {})
  }, 100).unref()
  return () => clearInterval(timer)
}

async function collected(): Promise<void> {
  const { collectGarbage } = await import('./collectGarbage.ts')
  await collectGarbage()
}
