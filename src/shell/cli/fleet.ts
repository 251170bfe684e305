import { Command } from 'commander'
import { BadFleet } from '../fleet/connection.ts'
import { askMembers, newestEntries, type MemberStatus } from '../fleet/status.ts'
import { print } from './client.ts'
import { fleetOf, withFleet, type FleetFlags } from './fleetFlags.ts'
import type { Verb } from './verb.ts'

type Options = FleetFlags & { readonly json?: boolean }

/**
 * `chainstage fleet`: shows the members of a fleet. The exit code is 1 if the main chain has no
 * leader.
 */
export const fleet: Verb = (exit) =>
  new Command('fleet').description('Show a fleet of processes that share their chains.').addCommand(
    withFleet(new Command('status'))
      .description('List the members of a fleet with the chains they lead and how far behind they are.')
      .option('--json', 'Print as JSON, with a digest of every chain.')
      .action(async (options: Options) => {
        const where = fleetOf(options)
        if (where === undefined) throw new BadFleet('expected --fleet nats://HOST:4222, received none')
        const members = await askMembers(where, options.json === true)
        print(members, options, wordsOf(members))
        if (!members.some(({ chains }) => chains.some(({ chain, leads }) => chain === '' && leads))) exit(1)
      }),
  )

function wordsOf(members: readonly MemberStatus[]): string {
  if (members.length === 0) return 'no member answers'
  const newest = newestEntries(members)
  return members.map((one) => linesOf(one, newest).join('\n')).join('\n')
}

function linesOf(one: MemberStatus, newest: ReadonlyMap<string, number>): readonly string[] {
  const { member, host, pid, version, lagMs, chains } = one
  const led = chains.filter(({ leads }) => leads)
  const lag = lagMs === 0 ? '' : `  cut off for ${lagMs} ms`
  return [
    `${member}  ${host}:${pid}  chainstage ${version}  leads ${led.length} of ${chains.length} chains${lag}`,
    ...chains
      .filter(({ chain }) => chain === '')
      .map(({ sequence, height, leads, term }) => {
        const behind = (newest.get('') ?? 0) - sequence
        const role = leads ? `leads since term ${term ?? 0}` : `follows, ${behind} entries behind`
        return `  main chain: height ${height}, ${role}`
      }),
  ]
}
