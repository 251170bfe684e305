/** The control API's view of a fleet. */
import type { Fleet } from '../fleet/fleet.ts'
import { newestEntries, type ChainStatus, type MemberStatus } from '../fleet/status.ts'

/** Returns the fleet's name and number of members; null outside a fleet. */
export function fleetFact(fleet: Fleet | undefined) {
  return fleet === undefined ? null : { name: fleet.name, members: fleet.members().length }
}

/**
 * Resolves with the members and chains of a fleet. `lagMs` is the time for which a member has been
 * disconnected from NATS. `behind` counts the entries that another member has applied and this one
 * has not.
 */
export async function fleetView({ name, self, askAll }: Fleet) {
  const all = await askAll()
  const newest = newestEntries(all)
  return {
    name,
    member: self,
    members: all.map((one) => memberView(one, newest, self)),
    chains: [...newest.keys()].sort().map((chain) => chainView(chain, all, self)),
  }
}

function memberView(one: MemberStatus, newest: ReadonlyMap<string, number>, self: string) {
  const { member, host, pid, version, lagMs, chains } = one
  const backlogs = chains.map(({ chain, sequence }) => (newest.get(chain) ?? sequence) - sequence)
  return {
    ...{ member, isSelf: member === self, host, pid, version, lagMs },
    leads: chains.filter(({ leads }) => leads).map(({ chain }) => chain),
    chains: chains.length,
    behind: Math.max(0, ...backlogs),
  }
}

/**
 * Returns a chain as its most advanced copy reports it. `leader` is null if the leader does not
 * respond.
 */
function chainView(chain: string, all: readonly MemberStatus[], self: string) {
  const copies = all.flatMap(({ member, chains }) =>
    chains.filter((one) => one.chain === chain).map((one) => ({ ...one, member })),
  )
  const newest = copies.reduce<ChainStatus | undefined>(
    (best, one) => (best === undefined || one.sequence > best.sequence ? one : best),
    undefined,
  )
  return {
    chain,
    leader: copies.find(({ leads }) => leads)?.member ?? null,
    term: newest?.term ?? 0,
    height: Number(newest?.height ?? 0),
    sequence: newest?.sequence ?? 0,
    members: copies.length,
    isHere: copies.some(({ member }) => member === self),
  }
}
