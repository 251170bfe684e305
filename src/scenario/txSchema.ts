/** Transactions of steps, as scenario files write them. */
import { z } from 'zod'
import { value } from './fixtures/fixtureSchema.ts'
import { amount } from './units.ts'
import { count, hexData, list, multiple, strings, wei, who } from './shapes.ts'

const signature = z.string().regex(/^\w+\([\w,[\]()]*\)$/, "expected a signature like 'transfer(address,uint256)'")
const args = z.array(value).optional()

const weight = z.enum(['even', 'zipf']).optional()
const amountText = z.string().refine((text) => amount(text) !== undefined, "expected an amount like '1.5 evm'")

/** An account, or a draw for each send. */
const someone = z.union([
  who,
  z.strictObject({ pick: z.union([z.string().startsWith('@'), z.array(who).min(1)]), weight }),
])

/** An amount, or a draw for each send. */
const someWei = z.union([
  wei,
  z.strictObject({ pick: z.array(amountText).min(1), weight }),
  z
    .strictObject({ lognormal: z.strictObject({ median: amountText, p99: amountText }) })
    .refine(
      ({ lognormal: { median, p99 } }) => (amount(median) ?? 0n) <= (amount(p99) ?? 0n),
      'expected a median that is at most p99',
    ),
])

/** One text, or several texts that are used in turn. */
const label = strings
  .meta({ description: 'name that the dashboard shows; ${faker.…} in it is drawn anew each time' })
  .optional()

const common = {
  label,
  from: someone,
  value: someWei.optional(),
  nonce: z
    .union([count, z.string()])
    .meta({ description: 'a number, or the name of a transaction whose nonce it takes' })
    .optional(),
  gas: z.int().min(21_000).optional(),
  gasPrice: wei.optional(),
  maxFeePerGas: z.union([wei.transform((amount) => ({ amount })), multiple]).optional(),
  maxPriorityFeePerGas: wei.optional(),
  as: z.string().optional(),
  allowRevert: z.boolean().optional(),
}

export const sendTx = z
  .strictObject({
    ...common,
    to: someone.optional(),
    data: hexData.optional(),
    call: z
      .strictObject({
        contract: z.union([who, z.string().regex(/^[A-Za-z_][\w.-]*$/, 'expected a contract like demo')]),
        fn: z.union([signature, z.string().regex(/^\w+$/)]),
        args,
      })
      .optional(),
  })
  .refine((one) => one.data === undefined || one.call === undefined, 'expected data or call')

export const deploy = z
  .strictObject({
    ...common,
    bytecode: hexData.optional(),
    artifact: z.string().meta({ description: 'path of a JSON artifact of Hardhat, Foundry or solc' }).optional(),
    types: z.string().meta({ description: "types of the constructor arguments, like 'string,uint256'" }).optional(),
    args,
    as: z.string(),
  })
  .refine((one) => (one.bytecode === undefined) !== (one.artifact === undefined), 'expected bytecode or artifact')

const coins = z.string().regex(/^\d+[a-zA-Z][\w/:.-]{2,127}$/, "expected coins like '1000atest'")

/** Messages of a Cosmos transaction; `raw` is any other message, already encoded. */
export const cosmosMessage = z.union([
  z.strictObject({ send: z.strictObject({ to: who, amount: coins }) }),
  z.strictObject({ delegate: z.strictObject({ validator: z.string(), amount: coins }) }),
  z.strictObject({ undelegate: z.strictObject({ validator: z.string(), amount: coins }) }),
  z.strictObject({
    redelegate: z.strictObject({ from: z.string(), to: z.string(), amount: coins }),
  }),
  z.strictObject({ withdrawRewards: z.strictObject({ validator: z.string() }) }),
  z.strictObject({
    vote: z.strictObject({
      proposal: z.int().min(1),
      option: z.enum(['yes', 'abstain', 'no', 'noWithVeto']),
    }),
  }),
  z.strictObject({ raw: z.strictObject({ typeUrl: z.string().startsWith('/'), value: hexData }) }),
])

export const cosmosTx = z.strictObject({
  from: who,
  messages: list(cosmosMessage),
  gas: z.int().min(1).optional(),
  fee: coins.optional(),
  memo: z.string().optional(),
  label,
  sequence: count.optional(),
  as: z.string().optional(),
  allowRevert: z.boolean().optional(),
  broadcast: z
    .enum(['async', 'sync', 'commit'])
    .meta({
      description:
        'CometBFT RPC method that sends the transaction; its response is the result of the step, ' +
        'and with commit the step waits for the block',
    })
    .optional(),
})
