import { counted } from '../../data/counted.ts'
import { asking, callControl, print, type ClientOptions } from './client.ts'
import type { Verb } from './verb.ts'

/** `chainstage signal`: releases a step that waits for a signal. */
export const signal: Verb = () =>
  asking('signal')
    .description('Release a scenario step that waits for this signal.')
    .argument('<name>', 'Name of the signal: the step waits with when: { signal: NAME }.')
    .action(async (name: string, options: ClientOptions) => {
      const told = (await callControl(options, 'POST', '/signal', { name })) as {
        state: string
        step: number
      }
      print(told, options, `signal sent; the scenario is ${told.state}, ${counted(told.step, 'step')} done`)
    })
