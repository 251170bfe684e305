/** What is said of the keys of a real node's files that have no effect here; those that have one are settings. */

type NodeValue = string | number | boolean

/** Keys of one section that have no effect for one reason. */
export type IgnoredKeys = {
  /** '' for keys above the first section. */
  readonly section: string
  /** Completes "has no effect: …" and says what to do. */
  readonly why: string
  /** What a real node writes for each key by itself, an empty list as ''; several where nodes differ. */
  readonly keys: Readonly<Record<string, NodeValue | readonly NodeValue[]>>
}

export const inMemory = 'the chain is kept in memory; --state FILE saves it'
