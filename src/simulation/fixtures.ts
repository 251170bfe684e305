/**
 * Puts fixtures on a chain before it serves requests: balances, contracts, transactions and
 * history.
 */
import type { EthereumView } from '../app/ethereumView.ts'
import { hexOf } from '../codec/hex.ts'
import type { Chain } from '../chain/chain.ts'
import type { ChainCommand } from '../chain/command.ts'
import { withGap } from '../chain/clock.ts'
import { recordAt } from '../chain/history.ts'
import type { Outcome } from '../chain/outcome.ts'
import { step } from '../chain/step.ts'
import { equalBytes } from '../data/bytes.ts'
import type { Work } from '../data/work.ts'
import { SimError } from '../errors.ts'
import { hasFixtures, type FixtureAccount, type Fixtures, type FixtureTx } from '../plan/fixtures.ts'
import type { NodeCommand } from '../node/command.ts'
import type { Node } from '../node/node.ts'
import { withPace } from '../node/pace.ts'
import { emptyAgenda } from '../data/agenda.ts'
import type { NodeKey, World } from '../node/world.ts'
import { blockGasOf, gasOf, nonceOf, type FixtureSite, submissionOf } from './fixtureTx.ts'

/**
 * Returns the node with fixtures on its chain. Each transaction and block is a piece of the work.
 * `reset` returns to this chain. Throws `FixtureFailed` if a transaction is rejected or reverts,
 * unless it may fail.
 */
export function* withFixtures(world: World, node: Node, fixtures: Fixtures): Work<Node> {
  const { accounts, txs, history } = fixtures
  if (!hasFixtures(fixtures)) return node
  const { ethereum } = world
  if (ethereum === undefined) throw new FixtureFailed('fixtures', 'the application has no EVM')
  const { policy, clock } = node.chain
  const site = siteOf(ethereum, world, node)
  site.chain = {
    ...node.chain,
    policy: { ...policy, mode: 'manual', paused: false },
    clock: beforeNow(clock, history?.overMs),
  }
  applyToSite(site, { type: 'edit', edits: balancesOf(accounts) })
  applyToSite(site, { type: 'produceBlock' })
  yield
  yield* sendAll(site, txs)
  if (history !== undefined) yield* relive(site, history)
  const now = clock.source === 'wall' ? { ...site.chain.clock, offsetMs: clock.offsetMs } : site.chain.clock
  const chain: Chain = { ...site.chain, policy, clock: now }
  const keys = [...(node.keys ?? []), ...newKeys(world, accounts)]
  return withPace(world, { ...node, chain, origin: chain, agenda: emptyAgenda, ...(keys.length > 0 ? { keys } : {}) })
}

/**
 * Returns the commands that add changed fixtures to a running chain: new keys, new or changed
 * balances, and the transactions after the existing ones.
 */
export function newFixtures(
  world: World,
  node: Node,
  { before, after }: { before: Fixtures; after: Fixtures },
): readonly Fresh[] {
  const { ethereum } = world
  if (ethereum === undefined) return []
  const old = new Map(before.accounts.map((one) => [hexOf(one.address), one]))
  const fresh = after.accounts.filter(({ address }) => !old.has(hexOf(address)))
  const changed = after.accounts.filter(({ address, balance }) => old.get(hexOf(address))?.balance !== balance)
  const edits = balancesOf(changed)
  const site = siteOf(ethereum, world, node)
  return [
    ...newKeys(world, fresh).map((key) => ({ command: { type: 'addKey', key } }) as const),
    ...(edits.length > 0 ? [{ command: { type: 'edit', edits } } as const] : []),
    ...after.txs.slice(before.txs.length).map((tx) => {
      const command = submissionOf(site, tx, gasOf(site, tx))
      site.nonces.set(hexOf(tx.from), nonceOf(site, tx.from) + 1n)
      return { command, ...(tx.mayFail ? {} : { must: tx.what }) }
    }),
  ]
}

/** A command that adds a fixture. `must` names a transaction that must be accepted. */
export type Fresh = { readonly command: NodeCommand; readonly must?: string }

/** Returns the keys of accounts that are not in the node's keyring. */
function newKeys({ keyring }: World, accounts: readonly FixtureAccount[]): readonly NodeKey[] {
  return accounts
    .filter(({ address }) => !keyring.some((key) => equalBytes(key.address, address)))
    .map(({ name, address, privateKey }) => ({ name, address, privateKey }))
}

/** Returns the edits that set the declared balances. */
function balancesOf(accounts: readonly FixtureAccount[]): Extract<ChainCommand, { type: 'edit' }>['edits'] {
  return accounts.flatMap(({ address, balance }) =>
    balance === undefined ? [] : [{ type: 'setBalance', address, amount: balance } as const],
  )
}

function siteOf(view: EthereumView, world: World, { chain, nowMs, settings }: Node): FixtureSite {
  return { world, view, nowMs, minTip: BigInt(settings.evmMinTip), nonces: new Map(), gas: new Map(), chain }
}

/** Moves a wall clock back by the length of the history, so that the history ends now. */
function beforeNow(clock: Chain['clock'], overMs: bigint | undefined): Chain['clock'] {
  return clock.source === 'wall' && overMs !== undefined ? { ...clock, offsetMs: clock.offsetMs - overMs } : clock
}

function applyToSite(site: FixtureSite, command: ChainCommand): Outcome {
  const { chain, outcome } = step(site.world, site.chain, command, site.nowMs)
  site.chain = chain
  return outcome
}

/**
 * Sends transactions and fills blocks. A contract creation ends its block, so that later
 * transactions can call the contract.
 */
function* sendAll(site: FixtureSite, txs: readonly FixtureTx[]): Work<void> {
  let waiting: FixtureTx[] = []
  let gas = 0n
  const close = () => {
    if (waiting.length > 0) makeBlock(site, waiting)
    waiting = []
    gas = 0n
  }
  for (const tx of txs) {
    yield
    const needed = gasOf(site, tx)
    if (gas + needed > blockGasOf(site)) close()
    if (!send(site, tx, needed)) continue
    waiting.push(tx)
    gas += needed
    if (tx.makes !== undefined) close()
  }
  close()
}

function* relive(site: FixtureSite, { blocks, overMs, txs }: NonNullable<Fixtures['history']>): Work<void> {
  const gapMs = overMs / BigInt(blocks)
  let at = 0
  for (let block = 0; block < blocks; block++) {
    yield
    for (let gas = 0n; txs[at]?.block === block && gas < blockGasOf(site); at++) {
      const tx = txs[at]
      if (tx === undefined) break
      const needed = gasOf(site, tx)
      if (send(site, tx, needed)) gas += needed
    }
    // Transactions above the block's gas are skipped.
    while (txs[at]?.block === block) at++
    if (gapMs > 0n) site.chain = withGap(site.chain, site.nowMs, gapMs)
    applyToSite(site, { type: 'produceBlock' })
  }
}

function makeBlock(site: FixtureSite, sent: readonly FixtureTx[]): void {
  applyToSite(site, { type: 'produceBlock' })
  const { history, height, app } = site.chain
  const receipts = recordAt(history, height)?.ethereum.transactions ?? []
  sent.forEach(({ what, mayFail, makes }, index) => {
    const isFine = receipts[index]?.receipt.failed === false
    if (!isFine && !mayFail) throw new FixtureFailed(what, 'its transaction reverted')
    if (makes !== undefined && site.view.code(app, makes).length === 0) {
      throw new FixtureFailed(what, `there is no code at ${hexOf(makes)}; the deployer has already sent a transaction`)
    }
  })
}

/** Submits a transaction; returns whether it was accepted. */
function send(site: FixtureSite, tx: FixtureTx, gas: bigint): boolean {
  const outcome = applyToSite(site, submissionOf(site, tx, gas))
  if (outcome.type !== 'submitted' || outcome.admitted) {
    site.nonces.set(hexOf(tx.from), nonceOf(site, tx.from) + 1n)
    return true
  }
  if (!tx.mayFail) assertTaken(tx.what, outcome)
  return false
}

/** Throws `FixtureFailed` if a transaction was rejected. */
export function assertTaken(what: string, outcome: Outcome): void {
  if (outcome.type !== 'submitted' || outcome.admitted) return
  const { refusal, check } = outcome
  throw new FixtureFailed(what, refusal ?? check?.log ?? 'the transaction was refused')
}

/** The chain rejected a fixture. */
export class FixtureFailed extends SimError {
  constructor(what: string, why: string) {
    super('FIXTURE_FAILED', `${what}: ${why}`, { hint: 'Check that the sender is funded and that the call succeeds.' })
  }
}
