/** Reports the results of operators' commands, including delayed commands. */
import { thrownText } from '../errors.ts'
import type { Input, OperatorCommand } from '../plan/input.ts'
import type { World } from '../node/world.ts'
import { type Simulated, simulate } from '../simulation.ts'
import type { Simulation } from '../simulation/turn.ts'
import type { Operated, Operation } from './ports.ts'
import type { Learning, Queue } from './queue.ts'
import { stoppedText } from './stopped.ts'

/** Tracks operators' commands between an instance and its queue. */
export type Operator = {
  /** Runs `simulate` and reports the result of a command to its caller. */
  readonly simulate: (simulation: Simulation, input: Input) => Simulated
  /** Reports the result of a command that another process of the fleet has ordered or dropped. */
  readonly report: (command: OperatorCommand, operated: Operated) => void
  /** Returns a `learning` that also tells callers about commands refused for lack of facts. */
  readonly told: (learning: Learning) => Learning
  /**
   * Returns a function that enters commands. `untaken` is the result of a command that `enter` has
   * not run: `waits`, or `done` if a playback answers in place of the chain.
   */
  readonly operate: (
    queue: Pick<Queue, 'enter'>,
    untaken: 'waits' | 'done',
  ) => (by: string, command: OperatorCommand) => Operation
  /** Refuses all waiting and later commands. */
  readonly stop: () => void
}

const done: Operated = { kind: 'done' }
const stopped: Operated = { kind: 'refused', message: stoppedText }

/** Returns an operator for a chain. */
export function createOperator(world: World): Operator {
  let isStopped = false
  const waiting: { readonly command: OperatorCommand; readonly settle: (operated: Operated) => void }[] = []
  const settle = (command: OperatorCommand, operated: Operated) => {
    const place = waiting.findIndex((one) => one.command === command)
    if (place >= 0) waiting.splice(place, 1)[0]?.settle(operated)
  }
  return {
    report: settle,
    simulate: (simulation, input) => {
      const after = simulate(world, simulation, input)
      const isPutOff = after.wanted !== undefined || after.needs !== undefined
      if (input.kind === 'operator' && !isPutOff) settle(input.command, after.refusal ?? done)
      return after
    },
    told: ({ learn, refused }) => ({
      learn,
      refused: (body, simulation, error) => {
        if (body.kind === 'operator') settle(body.command, { kind: 'refused', message: thrownText(error) })
        return refused(body, simulation, error)
      },
    }),
    operate:
      ({ enter }, untaken) =>
      (by, command) => {
        let now: Operated | undefined
        const settled = new Promise<Operated>((resolve) => {
          waiting.push({
            command,
            settle: (operated) => {
              now = operated
              resolve(operated)
            },
          })
          if (isStopped) return settle(command, stopped)
          enter({ kind: 'operator', by, command })
          if (untaken === 'done') settle(command, done)
        })
        return { now, settled }
      },
    stop: () => {
      isStopped = true
      for (const one of waiting.splice(0)) one.settle(stopped)
    },
  }
}
