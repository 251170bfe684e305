/** Actions that roll the chain back, save it and restore it. */
import { z } from 'zod'
import { count } from '../shapes.ts'
import { describedAction, several } from './descriptor.ts'

const rollback = describedAction({
  schema: z.union([z.strictObject({ to: count }), z.strictObject({ blocks: z.int().min(1) })]),
  keys: {
    rollback: 'Rolls back blocks. Example: { blocks: 2 }.',
    'rollback.to': 'Height to roll back to. Example: 3.',
    'rollback.blocks': 'Number of blocks to roll back. Example: 2.',
  },
  compile: (given) =>
    'to' in given
      ? { type: 'rollback', to: BigInt(given.to), blocks: undefined }
      : { type: 'rollback', to: undefined, blocks: BigInt(given.blocks) },
})

const snapshot = describedAction({
  schema: z.string(),
  keys: { snapshot: "Name for the current state of the chain. Example: 'funded'." },
  compile: (name) => ({ type: 'snapshot', name }),
})

const checkpoint = describedAction({
  schema: z.string().meta({ description: 'alias of snapshot' }),
  keys: { checkpoint: "Alias of snapshot. Example: 'funded'." },
  compile: (name) => ({ type: 'snapshot', name }),
})

const restore = describedAction({
  schema: z.union([
    z.string().transform((name) => ({ snapshot: name, keepConnections: true })),
    z.strictObject({ snapshot: z.string(), keepConnections: z.boolean().default(true) }),
    z
      .strictObject({ checkpoint: z.string(), keepConnections: z.boolean().default(true) })
      .transform(({ checkpoint: name, ...rest }) => ({ snapshot: name, ...rest })),
  ]),
  keys: {
    restore: "Restores a snapshot. Example: 'funded'.",
    'restore.snapshot': "Name of the snapshot. Example: 'funded'.",
    'restore.checkpoint': "Name of the snapshot. Example: 'funded'.",
    keepConnections: 'Whether connections and subscriptions stay open. Default: true. Example: false.',
  },
  compile: ({ snapshot: name, keepConnections }) =>
    several(
      { type: 'restore', name },
      ...(keepConnections
        ? []
        : [{ type: 'closeWs', code: 1012, reason: 'chain restored', side: undefined, query: undefined } as const]),
    ),
})

export const snapshotActions = { rollback, snapshot, checkpoint, restore }
