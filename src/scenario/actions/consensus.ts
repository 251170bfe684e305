/** Actions on validators, consensus and upgrades. */
import { z } from 'zod'
import { count, odds } from '../shapes.ts'
import { describedAction, several } from './descriptor.ts'
import { nodeFault } from './node.ts'

const signing = describedAction({
  schema: z.strictObject({ validator: z.string(), up: z.boolean() }),
  keys: {
    signing: "Turns the signing of a validator on or off. Example: { validator: 'valA', up: false }.",
    validator: "Validator by name. Example: 'valA'.",
    up: 'Whether the validator signs. Example: false.',
  },
  compile: ({ validator, up }) => ({ type: 'signing', validator, up }),
})

const evidence = describedAction({
  schema: z
    .strictObject({
      type: z.enum(['duplicateVote', 'lightClientAttack']),
      validator: z.string(),
      attack: z.enum(['Equivocation', 'Lunatic', 'Amnesia']).optional(),
    })
    .refine(
      ({ type, attack }) => type === 'lightClientAttack' || attack === undefined,
      'expected "attack" only with type lightClientAttack',
    ),
  keys: {
    evidence: "Submits evidence of misbehavior. Example: { type: 'duplicateVote', validator: 'valA' }.",
    type: "duplicateVote or lightClientAttack. Example: 'duplicateVote'.",
    attack: "Kind of light client attack. Example: 'Lunatic'.",
  },
  compile: ({ type, validator, attack }) => ({
    type: 'evidence',
    validator,
    attack: type === 'duplicateVote' ? undefined : (attack ?? 'Equivocation'),
  }),
})

const validator = describedAction({
  schema: z.strictObject({ name: z.string(), power: count }),
  keys: {
    'do.validator': "Sets the voting power of a validator; 0 removes it. Example: { name: 'valA', power: 10 }.",
    'finally.validator': "Sets the voting power of a validator; 0 removes it. Example: { name: 'valA', power: 10 }.",
    'validator.name': "Validator by name. Example: 'valA'.",
  },
  compile: ({ name, power }) => ({ type: 'validator', name, power: BigInt(power) }),
})

const jail = describedAction({
  schema: z.strictObject({
    validator: z.string(),
    slash: odds.optional(),
    reason: z.string().optional(),
  }),
  keys: {
    jail: "Jails a validator. Example: { validator: 'valA', slash: '1/20' }.",
    slash: "Share of the stake that is slashed. Example: '1/20'.",
    'jail.reason': "Reason, for the log. Example: 'missed blocks'.",
  },
  compile: ({ validator: name, slash, reason }) =>
    several(
      {
        type: 'jail',
        validator: name,
        isJailed: true,
        slash: slash === undefined ? 0n : (slash.numerator * 10n ** 18n) / slash.denominator,
      },
      ...(reason === undefined ? [] : [{ type: 'log', text: `jailed ${name}: ${reason}` } as const]),
    ),
})

const unjail = describedAction({
  schema: z.strictObject({ validator: z.string() }),
  keys: { unjail: "Releases a validator from jail. Example: { validator: 'valA' }." },
  compile: ({ validator: name }) => ({ type: 'jail', validator: name, isJailed: false, slash: 0n }),
})

const upgrade = describedAction({
  schema: z.strictObject({
    name: z.string().min(1),
    info: z.string().optional(),
    height: z.union([z.int().min(1), z.string().regex(/^\+[1-9]\d{0,14}$/, "expected a height or '+3'")]).optional(),
    halt: z.literal('consensus').optional(),
  }),
  keys: {
    upgrade: "Schedules an upgrade. Example: { name: 'v2', height: '+3' }.",
    'upgrade.name': "Name of the upgrade. Example: 'v2'.",
    info: "Information about the upgrade. Example: 'adds a module'.",
    'upgrade.height': "Height of the upgrade, or blocks from here. Example: '+3'.",
    'upgrade.halt': "Halts consensus at the height until chain: { resume: true }. Example: 'consensus'.",
  },
  compile: ({ name, height, info }) => ({
    type: 'upgrade',
    name,
    info: info ?? '',
    height: typeof height === 'number' ? BigInt(height) : undefined,
    in: typeof height === 'string' ? BigInt(height.slice(1)) - 1n : 0n,
  }),
})

const halt = describedAction({
  schema: z.strictObject({ mode: z.enum(['consensus', 'process']) }),
  keys: {
    halt: "Halts the chain. Example: { mode: 'consensus' }.",
    mode: "consensus: mining stops, but the node responds; process: the node stops responding. Example: 'consensus'.",
  },
  compile: ({ mode }) =>
    several(
      { type: 'upgrade', name: 'halt', info: '', height: undefined, in: 0n },
      ...(mode === 'process' ? [nodeFault('process', { refuse: true }, undefined)] : []),
    ),
})

const chain = describedAction({
  schema: z.strictObject({ resume: z.literal(true), appVersion: z.string().optional() }),
  keys: {
    'chain.resume': 'Restarts a halted chain. Example: true.',
    'do.chain':
      'Restarts a halted chain, optionally with another version of the application. Example: { resume: true }.',
    'finally.chain':
      'Restarts a halted chain, optionally with another version of the application. Example: { resume: true }.',
  },
  compile: ({ appVersion }) => several({ type: 'clearFault', name: 'node-process' }, { type: 'resume', appVersion }),
})

const rounds = describedAction({
  schema: z.int().min(2).max(100).meta({ description: 'number of consensus rounds for the next block' }),
  keys: { rounds: 'Number of consensus rounds that the next block takes. Example: 3.' },
  compile: (number) => ({ type: 'rounds', count: number - 1 }),
})

export const consensusActions = { signing, evidence, validator, jail, unjail, upgrade, halt, chain, rounds }
