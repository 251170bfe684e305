/**
 * Actions of steps, as scenario files write them. Each action is an object with one key, so that a
 * mistake gives one clear error.
 */
import { z } from 'zod'
import { fault } from './faultSchema.ts'
import { lateMark } from './lateMark.ts'
import { stall } from './socketSchema.ts'
import { cosmosTx, deploy, sendTx } from './txSchema.ts'
import { call, count, duration, hexBytes, multiple, odds, side, span, wei, who } from './shapes.ts'

const hexData = z.string().regex(/^0x([0-9a-fA-F]{2})*$/, 'expected 0x hex')

/**
 * A selection of mempool transactions: all, those with a hash or name, or those that match every
 * given member.
 */
const someTxs = z.union([
  z.literal('*').transform(() => ({})),
  hexBytes(32).transform((hash) => ({ hash })),
  z.string().transform((name) => ({ name })),
  z.strictObject({
    hash: hexBytes(32).optional(),
    name: z.string().optional(),
    from: who.optional(),
    to: who.optional(),
    nonce: count.optional(),
    selector: hexBytes(4).optional(),
  }),
])

/** A number of blocks, or a duration. */
const lag = z.union([count.transform((blocks) => ({ blocks: BigInt(blocks) })), span])

const mempool = z
  .strictObject({
    hold: z
      .strictObject({
        from: who.optional(),
        to: who.optional(),
        nonce: count.optional(),
        selector: hexBytes(4).optional(),
        nth: z.int().min(1).optional(),
      })
      .optional(),
    release: someTxs.optional(),
    drop: someTxs.optional(),
    evict: someTxs.optional(),
    fill: z.strictObject({ from: who, count: z.int().min(1).max(5000) }).optional(),
    as: z.string().optional(),
  })
  .refine(
    (one) => Object.keys(one).filter((key) => key !== 'as').length === 1,
    'expected one of hold, release, drop, evict or fill',
  )

export const actions = {
  mine: z.int().min(1).max(1_000_000),
  timeJump: duration,
  setTime: z.iso.datetime({ error: 'expected an RFC 3339 time in UTC like 2025-01-01T00:00:00Z' }),
  setBlockTime: duration,
  blocks: z.union([
    z.enum(['pause', 'resume']),
    z.strictObject({ pause: z.literal(true) }).transform(() => 'pause' as const),
    z.strictObject({ resume: z.literal(true) }).transform(() => 'resume' as const),
  ]),
  sendTx,
  deploy,
  cosmosTx,
  setBalance: z.strictObject({ address: who, amount: wei }),
  setNonce: z.strictObject({ address: who, nonce: count }),
  setCode: z.strictObject({ address: who, code: hexData }),
  setStorage: z.strictObject({ address: who, slot: hexBytes(32), value: hexBytes(32) }),
  mempool,
  fees: z
    .strictObject({
      baseFee: z.union([multiple, wei.transform((amount) => ({ amount }))]).optional(),
      gasLimit: z.int().min(1).optional(),
      for: span.optional(),
    })
    .refine((one) => one.baseFee !== undefined || one.gasLimit !== undefined, 'expected baseFee or gasLimit'),
  signing: z.strictObject({ validator: z.string(), up: z.boolean() }),
  evidence: z.strictObject({
    type: z.enum(['duplicateVote', 'lightClientAttack']),
    validator: z.string(),
    attack: z.enum(['Equivocation', 'Lunatic', 'Amnesia']).optional(),
  }),
  validator: z.strictObject({ name: z.string(), power: count }),
  jail: z.strictObject({
    validator: z.string(),
    slash: odds.optional(),
    reason: z.string().optional(),
  }),
  unjail: z.strictObject({ validator: z.string() }),
  upgrade: z.strictObject({
    name: z.string().min(1),
    info: z.string().optional(),
    height: z.union([z.int().min(1), z.string().regex(/^\+\d+$/, "expected a height or '+3'")]).optional(),
    halt: z.literal('consensus').optional(),
  }),
  halt: z.strictObject({ mode: z.enum(['consensus', 'process']) }),
  chain: z.strictObject({ resume: z.literal(true), appVersion: z.string().optional() }),
  rounds: z.int().min(2).max(100).meta({
    description: 'number of consensus rounds for the next block',
  }),
  rollback: z.union([z.strictObject({ to: count }), z.strictObject({ blocks: z.int().min(1) })]),
  snapshot: z.string(),
  checkpoint: z.string().meta({ description: 'alias of snapshot' }),
  restore: z.union([
    z.string().transform((snapshot) => ({ snapshot, keepConnections: true })),
    z.strictObject({ snapshot: z.string(), keepConnections: z.boolean().default(true) }),
    z
      .strictObject({ checkpoint: z.string(), keepConnections: z.boolean().default(true) })
      .transform(({ checkpoint, ...rest }) => ({ snapshot: checkpoint, ...rest })),
  ]),
  node: z
    .strictObject({
      prunedBelow: z.int().min(1).optional(),
      catchingUp: z.boolean().optional(),
      behind: lag.meta({ description: 'answers from an older state, by blocks or time; 0 ends it' }).optional(),
      indexLag: lag
        .meta({ description: 'delays receipts, logs and searches, by blocks or time; 0 ends it' })
        .optional(),
      listen: z.boolean().meta({ description: 'whether the ports accept connections' }).optional(),
      peers: z.int().min(0).max(1000).meta({ description: 'number of peers that the node reports' }).optional(),
      for: span.optional(),
    })
    .refine(
      (one) => Object.keys(one).some((key) => key !== 'for'),
      'expected at least one of prunedBelow, catchingUp, behind, indexLag, listen or peers',
    ),
  ws: z
    .strictObject({
      close: z
        .union([
          z.literal(true).transform(() => ({ code: undefined, reason: undefined })),
          z.strictObject({
            code: z.int().min(1000).max(4999).optional(),
            reason: z.string().max(123).optional(),
          }),
        ])
        .optional(),
      stall: stall.meta({ description: 'holds events back; calls are still answered' }).optional(),
      unstall: z
        .literal([true, 'deliver', 'discard'])
        .meta({
          description: 'ends the stall of the same match; events held back are delivered or discarded',
        })
        .optional(),
      match: z
        .strictObject({
          iface: side.optional(),
          subscription: z.string().optional(),
        })
        .optional(),
      for: span.optional(),
    })
    .refine(
      ({ close, stall: held, unstall }) => [close, held, unstall].filter((one) => one !== undefined).length === 1,
      'expected one of close, stall or unstall',
    )
    .refine((one) => one.for === undefined || one.stall !== undefined, '"for" is only valid with stall'),
  app: z.union([z.strictObject({ infoFails: z.string() }), z.strictObject({ slow: duration, for: span.optional() })]),
  fault: z.union([
    z.strictObject({ use: z.string(), for: span.optional(), once: z.boolean().optional() }),
    z.strictObject({
      inline: fault,
      as: z.string().optional(),
      for: span.optional(),
      once: z.boolean().optional(),
    }),
  ]),
  clearFault: z.string(),
  call,
  setPhase: z.string(),
  set: z.record(z.string().regex(/^\w+$/, 'expected a name'), z.union([z.string(), z.int(), z.boolean()])),
  signal: z.string(),
  log: z.string(),
  late: lateMark,
} as const

export const action = z
  .strictObject(
    Object.fromEntries(Object.entries(actions).map(([name, shape]) => [name, shape.optional()])) as {
      [Name in keyof typeof actions]: z.ZodOptional<(typeof actions)[Name]>
    },
  )
  .refine((one) => Object.keys(one).length === 1, 'expected exactly one action in an object')

export type ActionFile = z.output<typeof action>
