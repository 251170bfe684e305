/**
 * Warnings about keys of a real node's files that have no effect in chainstage. Keys with an effect
 * are settings.
 */

type NodeValue = string | number | boolean

/** Keys of one section that have no effect for the same reason. */
export type IgnoredKeys = {
  /** The section; '' for keys before the first section. */
  readonly section: string
  /** Completes "has no effect: …" and tells the user what to do. */
  readonly why: string
  /**
   * The default that a real node writes for each key, an empty list as ''; several values if nodes
   * differ.
   */
  readonly keys: Readonly<Record<string, NodeValue | readonly NodeValue[]>>
}

export const inMemory = 'the chain is kept in memory; save it with --state FILE'
