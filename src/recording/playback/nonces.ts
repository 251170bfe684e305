/**
 * Derives transaction counts from recorded transactions. An accepted transaction raises the pending
 * count when it is sent, and the latest count with its block.
 */
import { bytesOfHex, plainHexOf, quantityOf } from '../../codec/hex.ts'
import { recoverTx } from '../../app/evmd/ethereum/recover.ts'
import { SimError } from '../../errors.ts'
import { isCallTo, keyParts } from './callKey.ts'
import type { Taken } from './causes.ts'
import { heldAt } from './heads.ts'
import { madeAt } from './headTimes.ts'
import type { Head, HeldAnswer } from './library.ts'

const ofAccount = /^\["0x([0-9a-f]{40})","(latest|pending)"\]$/

/** The transaction count of an account from a moment on. */
type Step = { readonly at: number; readonly count: bigint }

/** Returns a function that completes the recorded transaction counts. */
export function createNonces(
  taken: readonly Taken[],
  heads: readonly Head[],
): (key: string, held: readonly HeldAnswer[]) => readonly HeldAnswer[] {
  const sent = new Map<string, { readonly write: Taken; readonly count: bigint }[]>()
  for (const write of taken) {
    const found = sentBy(write)
    if (found === undefined) continue
    sent.set(found.from, [...(sent.get(found.from) ?? []), { write, count: found.nonce + 1n }])
  }
  return (key, held) => {
    if (!isCallTo('eth', 'eth_getTransactionCount', key)) return held
    const [, account = '', block] = ofAccount.exec(keyParts(key).params) ?? []
    const own = sent.get(account)
    if (own === undefined) return held
    const steps = own.flatMap(({ write, count }) => {
      const { from, height } = write
      const made = height === undefined ? undefined : madeAt(heads, height)
      const at = block === 'pending' ? from : made
      return at === undefined ? [] : [{ at, count }]
    })
    return stepped(
      held,
      steps.toSorted((a, b) => a.at - b.at),
      block === 'pending',
    )
  }
}

/** The sender of a transaction, as 40 hex digits, and its nonce. */
type Sender = { readonly from: string; readonly nonce: bigint }

function sentBy({ key }: Taken): Sender | undefined {
  const { side, method, params } = keyParts(key)
  if (side !== 'eth') return undefined
  try {
    const [sent] = JSON.parse(params) as readonly unknown[]
    if (/^eth_sendRawTransaction(?:Sync)?$/.test(method)) return signed(String(sent))
    return /^eth_sendTransaction(?:Sync)?$/.test(method)
      ? unsigned(sent as Readonly<Record<string, unknown>>)
      : undefined
  } catch (error) {
    // The node accepted it, so its type is one that chainstage does not know.
    if (error instanceof SimError) return undefined
    throw error
  }
}

function signed(raw: string): Sender {
  const { from, tx } = recoverTx(bytesOfHex(raw))
  return { from: plainHexOf(from), nonce: tx.nonce }
}

/**
 * Returns the sender of a transaction that the node signed; undefined if the node chose the nonce.
 */
function unsigned({ from, nonce }: Readonly<Record<string, unknown>>): Sender | undefined {
  if (typeof from !== 'string' || !/^0x[0-9a-f]+$/.test(String(nonce))) return undefined
  return { from: from.replace(/^0x/, ''), nonce: BigInt(String(nonce)) }
}

/**
 * Merges derived counts into the recorded answers. Skips a count that is already recorded, and a
 * pending count that would leave a gap.
 */
function stepped(held: readonly HeldAnswer[], steps: readonly Step[], isPending: boolean): readonly HeldAnswer[] {
  const added: HeldAnswer[] = []
  for (const { at, count } of steps) {
    const [recorded, last] = [countOf(heldAt(held, at)), countOf(added.at(-1)?.answer) ?? 0n]
    if (recorded === undefined) continue
    const before = recorded > last ? recorded : last
    if (count <= before || (isPending && count > before + 1n)) continue
    added.push({ since: at, answer: { ok: true, text: `"${quantityOf(count)}"` }, count: 0 })
  }
  const merged: HeldAnswer[] = []
  for (const one of [...held, ...added].toSorted((a, b) => a.since - b.since)) {
    const before = merged.at(-1)
    const isSame = before !== undefined && countOf(before.answer) === countOf(one.answer)
    if (isSame) merged[merged.length - 1] = { ...before, count: before.count + one.count }
    else merged.push(one)
  }
  return merged
}

function countOf(answer: HeldAnswer['answer'] | undefined): bigint | undefined {
  if (answer?.ok !== true || !/^"0x[0-9a-f]+"$/.test(answer.text)) return undefined
  return BigInt(JSON.parse(answer.text) as string)
}
