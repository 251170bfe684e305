/** Requests the status of the members of a fleet. */
import type { NatsConnection } from '@nats-io/transport-node'
import { connectToNats } from './connection.ts'
import type { FleetOptions } from './options.ts'

export type MemberStatus = {
  readonly member: string
  readonly host: string
  readonly pid: number
  readonly version: string
  /** Milliseconds since NATS last delivered a message to the member; 0 while it does. */
  readonly lagMs: number
  readonly chains: readonly ChainStatus[]
}

/**
 * Status of a chain. `chain` is '' for the main chain; `sequence` is the last log entry applied.
 */
export type ChainStatus = {
  readonly chain: string
  readonly sequence: number
  readonly leader: string | undefined
  readonly term: number | undefined
  readonly leads: boolean
  readonly height: string
  /** Equal on all members at the same sequence. Present only if requested. */
  readonly digest?: string
}

/** Maximum time for members to respond, in milliseconds. */
const patienceMs = 1000

/** The name of the client library's error for a subject without subscribers. */
const noResponders = 'NoResponders'

/** Resolves with the status of each member. Throws `FleetUnreachable`. */
export async function askMembers(options: FleetOptions, withDigests: boolean): Promise<readonly MemberStatus[]> {
  const connection = await connectToNats(options, 'chainstage fleet status')
  try {
    return await askOver(connection, `chainstage.${options.name}.status`, { withDigests })
  } finally {
    await connection.close()
  }
}

/**
 * Resolves with the members' responses to a request on a subject, sorted by member name. Waits one
 * second, or until `most` members have responded.
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
    // No subscribers: the fleet has no members.
    if (!isUnanswered(error)) throw error
  }
  return answers.sort((one, other) => (one.member < other.member ? -1 : 1))
}

/** Resolves with whether a fleet has members, also members that are too busy to respond. */
export async function hasMembers(connection: NatsConnection, subject: string): Promise<boolean> {
  try {
    await connection.request(subject, '', { timeout: patienceMs })
    return true
  } catch (error) {
    return !isUnanswered(error)
  }
}

function isUnanswered(error: unknown): boolean {
  return error instanceof Error && [error, error.cause].some((one) => one instanceof Error && one.name === noResponders)
}

/** Returns, by chain, the last entry that any of the members has applied. */
export function newestEntries(members: readonly MemberStatus[]): ReadonlyMap<string, number> {
  const newest = new Map<string, number>()
  for (const { chains } of members) {
    for (const { chain, sequence } of chains) newest.set(chain, Math.max(sequence, newest.get(chain) ?? 0))
  }
  return newest
}
