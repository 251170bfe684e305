/** Fetches the state of the forked chain at the fork height, for a local chain that needs it. */
import type { Fact, WantedPart } from '../../app/forked.ts'
import { bytesOfDigits, hexOf } from '../../codec/hex.ts'
import { parsedJson } from '../../data/parsedJson.ts'
import { isExpected, SimError } from '../../errors.ts'
import { type ForkedAt, storesOf } from './stores.ts'
import type { ForkSource } from './source.ts'
import { BadFact, unansweredCode } from './unanswered.ts'

/**
 * Resolves with facts in the order of `wanted`. Rejects with `StateMissing`, whose cause is an
 * error of `source.ts` or `BadFact`.
 */
export function factsOf(source: ForkSource, fork: ForkedAt, wanted: readonly WantedPart[]): Promise<readonly Fact[]> {
  return Promise.all(wanted.map((one) => factOf(source, fork, one)))
}

async function factOf(source: ForkSource, fork: ForkedAt, wanted: WantedPart): Promise<Fact> {
  const { address } = wanted
  const { height } = fork
  const at = `0x${height.toString(16)}`
  const text = hexOf(address)
  const ask = (method: string, ...rest: readonly string[]) => hexAnswer(source, method, [text, ...rest, at])
  try {
    if (wanted.type === 'slot') {
      return { ...wanted, value: wordOf(await ask('eth_getStorageAt', hexOf(wanted.slot))) }
    }
    const [wei, nonce, code, own] = await Promise.all([
      ask('eth_getBalance'),
      ask('eth_getTransactionCount'),
      ask('eth_getCode'),
      source.has('comet') ? storesOf(source, fork, address) : {},
    ])
    return { ...wanted, ...own, wei: quantityOf(wei), nonce: quantityOf(nonce), code: bytesOf(code) }
  } catch (error) {
    throw isExpected(error) ? new StateMissing(wanted, height, error) : error
  }
}

async function hexAnswer(source: ForkSource, method: string, params: readonly string[]): Promise<string> {
  const answer = await source.ask({ side: 'eth', method, params: { form: 'json', text: JSON.stringify(params) } })
  if (answer.ok !== true) {
    throw new BadFact(method, answer.ok === false ? answer.error.message : 'nothing')
  }
  const value = parsedJson(answer.text)
  if (typeof value !== 'string' || !/^0x[0-9a-f]*$/i.test(value)) {
    throw new BadFact(method, answer.text.slice(0, 80))
  }
  return value
}

function bytesOf(text: string): Uint8Array {
  const digits = text.slice(2)
  return bytesOfDigits(digits.length % 2 === 0 ? digits : `0${digits}`) ?? new Uint8Array(0)
}

/** `0x` is a number here: some nodes write zero like this. */
function quantityOf(text: string): bigint {
  return BigInt(text === '0x' ? 0 : text)
}

function wordOf(text: string): Uint8Array {
  return bytesOf(`0x${text.slice(2).padStart(64, '0').slice(-64)}`)
}

/**
 * State could not be fetched. `rpcCode` is the code of the JSON-RPC error that the client receives.
 */
export class StateMissing extends SimError {
  readonly rpcCode: number

  constructor(wanted: WantedPart, height: bigint, cause: SimError) {
    const what = `${wanted.type === 'slot' ? `storage slot ${hexOf(wanted.slot)} of ` : ''}account ${hexOf(wanted.address)}`
    super('STATE_MISSING', `chainstage: ${what} at height ${height} is unknown: ${cause.message}`, {
      cause,
      ...(cause.hint !== undefined && { hint: cause.hint }),
    })
    this.rpcCode = unansweredCode(cause)
  }
}
