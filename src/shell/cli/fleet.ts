import { Command } from 'commander'
import { counted } from '../../data/counted.ts'
import { BadFleet } from '../fleet/connection.ts'
import { askMembers, newestEntries, type MemberStatus } from '../fleet/status.ts'
import { print } from './client.ts'
import type { FleetOptions } from '../fleet/options.ts'
import { fleetOf, withFleetName, withLogin, withServers, type FleetFlags } from './fleetFlags.ts'
import type { Verb } from './verb.ts'

type Options = FleetFlags & { readonly json?: boolean }

/**
 * `chainstage fleet`: shows the members of a fleet, or removes it. The exit code of `status` is 1 if
 * the main chain has no leader.
 */
export const fleet: Verb = (exit) =>
  new Command('fleet')
    .description('Show or remove a fleet of processes that share their chains.')
    .addCommand(
      withFleetName(new Command('status'))
        .description('List the members of a fleet with the chains they lead and how far behind they are.')
        .option('--json', 'Print as JSON, with a digest of every chain.')
        .action(async (options: Options) => {
          const members = await askMembers(placeOf(options), options.json === true)
          print(members, options, wordsOf(members))
          if (!members.some(({ chains }) => chains.some(({ chain, leads }) => chain === '' && leads))) exit(1)
        }),
    )
    .addCommand(
      withLogin(withServers(new Command('remove')))
        .description('Remove a fleet without members from the NATS servers, with all its chains.')
        .argument('<name>', 'Name of the fleet.')
        .option('--json', 'Print as JSON.')
        .action(async (name: string, options: Options) => {
          const { removeFleet } = await import('../fleet/remove.ts')
          const removed = await removeFleet({ ...placeOf(options), name })
          print(removed, options, `removed fleet ${name} with ${counted(removed.chains, 'chain')}`)
        }),
    )

function placeOf(flags: FleetFlags): FleetOptions {
  const place = fleetOf(flags)
  if (place === undefined) throw new BadFleet('expected --fleet nats://HOST:4222, received none')
  return place
}

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
    `${member}  ${host}:${pid}  chainstage ${version}  leads ${led.length} of ${counted(chains.length, 'chain')}${lag}`,
    ...chains
      .filter(({ chain }) => chain === '')
      .map(({ sequence, height, leads, term }) => {
        const behind = (newest.get('') ?? 0) - sequence
        const role = leads ? `leads since term ${term ?? 0}` : `follows, ${counted(behind, 'entry', 'entries')} behind`
        return `  main chain: height ${height}, ${role}`
      }),
  ]
}
