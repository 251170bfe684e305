import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/**
 * Resolves with the bytes that this process uses after garbage is collected. Buffers are freed some
 * time after the objects that held them, so it collects several times.
 */
export async function memoryInUse(): Promise<number> {
  for (let times = 0; times < 5; times++) {
    collect()
    await new Promise((done) => {
      setTimeout(done, 20)
    })
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
