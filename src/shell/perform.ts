/** What the core cannot do itself: garbage, profiles, statistics of the process. */
import type { Performed } from '../node/input.ts'
import type { Task } from '../node/output.ts'

/** Resolves with the result of a task as text; never rejects. */
export async function perform(task: Task): Promise<Performed> {
  try {
    return { ok: true, text: await resultOf(task) }
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) }
  }
}

async function resultOf(task: Task): Promise<string> {
  switch (task.type) {
    case 'collectGarbage': return collectGarbage()
    case 'memoryStatistics': return JSON.stringify(process.memoryUsage())
    case 'writeProfile': throw new Error(`profiles are not written yet: ${task.profile}`)
    default: throw new Error(`unknown task: ${JSON.stringify(task)}`)
  }
}

/** V8 only lets itself be asked when it was started for it; the flag can be set while it runs. */
async function collectGarbage(): Promise<string> {
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([import('node:v8'), import('node:vm')])
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return 'null'
}
