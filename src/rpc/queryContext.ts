/** The context of a query, which most requests call. */
import type { Node } from '../node/node.ts'
import type { CallRun } from './callRun.ts'
import { leavingView } from './longReads.ts'
import type { Context, SlicedView } from './method.ts'

/** A context whose `view` is created when it is first read, because few queries execute anything. */
export class QueryContext implements Context {
  readonly world: Context['world']
  readonly node: Node
  readonly caller: Context['caller']
  readonly woken: Context['woken']
  readonly other: string | undefined
  readonly #run: CallRun
  #view: SlicedView | undefined

  /** `seen` is the node that the query reads. */
  constructor(run: CallRun, seen: Node) {
    this.world = run.world
    this.node = seen
    this.caller = run.caller
    this.woken = run.resumed?.woken
    this.other = run.recorded !== undefined && 'other' in run.recorded ? run.recorded.other : undefined
    this.#run = run
  }

  get view(): SlicedView | undefined {
    this.#view ??= leavingView(this.#run, this.node)
    return this.#view
  }
}
