/** Checks, while a fork runs, that its node still serves the chain that was forked. */
import { SimError } from '../../errors.ts'
import { blockIn, askedNumber, type ForkOrigin } from './point.ts'
import type { ForkSource } from './source.ts'

/** How long a check holds, in ms. */
const holdsMs = 1000

/**
 * Returns a source that looks at the block of the fork again after an answer, at most once a second. Its
 * calls reject with `ForkChanged` if the node has another block, for example because another chain was
 * started there. `asked` makes the calls; `checked` fetches the block.
 */
export function sameChain(asked: ForkSource, checked: ForkSource, origin: ForkOrigin): ForkSource {
  let checkedAt = performance.now()
  let check: Promise<void> | undefined

  async function assertSame(): Promise<void> {
    if (performance.now() - checkedAt < holdsMs) return
    check ??= differenceFrom(checked, origin)
      .then((difference) => {
        if (difference !== undefined) throw new ForkChanged(asked.name, difference)
        checkedAt = performance.now()
      })
      .finally(() => {
        check = undefined
      })
    await check
  }

  return {
    ...asked,
    ask: async (call) => {
      try {
        const answer = await asked.ask(call)
        await assertSame()
        return answer
      } catch (error) {
        // A node that was away may come back as another chain.
        checkedAt = Number.NEGATIVE_INFINITY
        throw error
      }
    },
  }
}

/** Resolves with the difference between the chain that a node serves and the one that was forked. */
async function differenceFrom(
  source: ForkSource,
  { point: { height }, block, evmChainId }: ForkOrigin,
): Promise<string | undefined> {
  const [id, now] = await Promise.all([askedNumber(source, 'eth_chainId'), blockIn(source, height)])
  if (id !== undefined && Number(id) !== evmChainId) return `it has the EVM chain id ${id}, not ${evmChainId}`
  if (now !== undefined) {
    const isSame = now['hash'] === block['hash'] || content.every((key) => now[key] === block[key])
    return isSame ? undefined : `its block ${height} has the hash ${String(now['hash'])}, not ${String(block['hash'])}`
  }
  const newest = await askedNumber(source, 'eth_blockNumber')
  // A pruning node no longer has the block.
  return newest !== undefined && newest < height ? `its newest block is ${newest}` : undefined
}

/** A reorg of Ethereum JSON-RPC alone changes the hash of a block, but not its content. */
const content = ['timestamp', 'stateRoot', 'transactionsRoot', 'receiptsRoot', 'gasUsed'] as const

/** The node of the forked chain serves another chain now. */
export class ForkChanged extends SimError {
  constructor(name: string, difference: string) {
    super(
      'FORK_CHANGED',
      `${name} is no longer the forked chain: ${difference}; start that chain again, or fork anew`,
      {
        hint: 'The fork continues when the node serves the forked chain again.',
      },
    )
  }
}
