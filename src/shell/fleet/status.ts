/** What members say of themselves. */
import type { NatsConnection } from '@nats-io/transport-node'
import { connectToNats } from './connection.ts'
import type { FleetOptions } from './options.ts'

export type MemberStatus = {
  readonly member: string
  readonly host: string
  readonly pid: number
  readonly version: string
  /** Milliseconds since NATS last carried a message of the member; 0 while it does. */
  readonly lagMs: number
  readonly chains: readonly ChainStatus[]
}

/** `chain` is '' for the main one; `sequence` is the last entry of the log that took effect. */
export type ChainStatus = {
  readonly chain: string
  readonly sequence: number
  readonly leader: string | undefined
  readonly term: number | undefined
  readonly leads: boolean
  readonly height: string
  /** Equal on all members at one sequence; there where it was asked for. */
  readonly digest?: string
}

/** How long members may take to answer. */
const patienceMs = 1000

/** The name of the client library's error for a subject that nobody listens to. */
const noResponders = 'NoResponders'

/** Resolves with what each member says of itself. Throws `FleetUnreachable`. */
export async function askMembers(options: FleetOptions, withDigests: boolean): Promise<readonly MemberStatus[]> {
  const connection = await connectToNats(options, 'chainstage fleet status')
  try {
    return await askOver(connection, `chainstage.${options.name}.status`, { withDigests })
  } finally {
    await connection.close()
  }
}

/**
 * Resolves with what members say on a subject, in order of their names: after a second, or as soon
 * as `most` of them have answered.
 */
export async function askOver(
  connection: NatsConnection,
  subject: string,
  { withDigests = false, most = Infinity }: { readonly withDigests?: boolean; readonly most?: number },
): Promise<readonly MemberStatus[]> {
  const answers: MemberStatus[] = []
  const how = { strategy: 'timer', maxWait: patienceMs } as const
  try {
    for await (const message of await connection.requestMany(subject, withDigests ? 'digests' : '', how)) {
      answers.push(message.json<MemberStatus>())
      if (answers.length >= most) break
    }
  } catch (error) {
    // Nobody listens: the fleet has no members.
    if (!isUnanswered(error)) throw error
  }
  return answers.sort((one, other) => (one.member < other.member ? -1 : 1))
}

function isUnanswered(error: unknown): boolean {
  return error instanceof Error && [error, error.cause].some((one) => one instanceof Error && one.name === noResponders)
}

/** Returns the last entry that any of the members has applied, by chain. */
export function newestEntries(members: readonly MemberStatus[]): ReadonlyMap<string, number> {
  const newest = new Map<string, number>()
  for (const { chains } of members) {
    for (const { chain, sequence } of chains) newest.set(chain, Math.max(sequence, newest.get(chain) ?? 0))
  }
  return newest
}
