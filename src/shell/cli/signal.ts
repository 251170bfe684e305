import { asking, callControl, print, type ClientOptions } from './client.ts'
import type { Verb } from './verb.ts'

/** `chainstage signal`: what a step of the scenario waits for. */
export const signal: Verb = () =>
  asking('signal')
    .description('Release a scenario step that waits for this signal.')
    .argument('<name>', 'as in { when: { signal: NAME } }')
    .action(async (name: string, options: ClientOptions) => {
      const told = (await callControl(options, 'POST', '/signal', { name })) as {
        state: string
        step: number
      }
      print(told, options, `given; the scenario is ${told.state}, ${told.step} steps are done`)
    })
