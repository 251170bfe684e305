/** Parts of the program that are large and therefore loaded on first use. */
import { SimError } from '../errors.ts'

/** Holds a part. The core sets `isWanted`; the shell then loads the part and submits the same input again. */
export type Loadable<Part> = { part: Part | undefined; isWanted: boolean }

/** Returns the part. If it is not loaded, sets `isWanted` and throws `PartNotLoaded`. */
export function loadedPart<Part>(loadable: Loadable<Part>): Part {
  if (loadable.part !== undefined) return loadable.part
  loadable.isWanted = true
  throw new PartNotLoaded()
}

/** Returns whether a part was wanted but not loaded, and resets this flag. */
export function takeIsWanted(loadable: Loadable<unknown> | undefined): boolean {
  if (loadable?.isWanted !== true) return false
  loadable.isWanted = false
  return true
}

/** A part is not loaded yet; the input is submitted again once it is. */
class PartNotLoaded extends SimError {
  constructor() {
    super('PART_NOT_LOADED', 'a part of the program is not loaded', { hint: 'Ask again: the first use loads it.' })
  }
}
