// Usage: node scripts/recordChain.mjs URL GENESIS FILE
// Records a chain of a real node for `test/golden/chains.test.ts`: its genesis and, for each block, what
// the application was asked and what it answered. URL is CometBFT RPC of a running `evmd` v0.5.0 that
// keeps all blocks, GENESIS its genesis file, FILE the file to write, such as
// test/golden/chains/NAME.json.br. The test expects the EVM chain id 31337.
import { readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'

const [url, genesisPath, path] = process.argv.slice(2)
if (path === undefined) throw new Error('usage: node scripts/recordChain.mjs URL GENESIS FILE')

/**
 * What is cut from texts, here and from our answers in the test: where an error was made in the node's
 * source, and the stack of a panic. Both tell of the machine that built the node.
 */
const cuts = [
  ['\\[[^\\[\\]]*\\.go:\\d+\\]', '[…]'],
  ['\\nstack:\\n[^]*', '\nstack: …'],
]

const cut = (text) => cuts.reduce((left, [pattern, by]) => left.replace(new RegExp(pattern, 'g'), by), text)

async function get(method) {
  const response = await fetch(`${url.replace(/\/$/, '')}/${method}`)
  const { result, error } = await response.json()
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`)
  return result
}

function misbehaviorOf({ type, value }) {
  if (type !== 'tendermint/DuplicateVoteEvidence') throw new Error(`the recording cannot hold ${type}`)
  return {
    address: value.vote_a.validator_address,
    power: value.ValidatorPower,
    height: value.vote_a.height,
    time: value.Timestamp,
    totalPower: value.TotalVotingPower,
  }
}

/** Returns the votes of a block's last commit, each as address, power, and 1 if it was for the block. */
async function votesOf(height, { signatures }) {
  if (height === first) return []
  const { validators, total } = await get(`validators?per_page=100&height=${height - 1}`)
  if (Number(total) > validators.length) throw new Error('the chain has more validators than a page')
  return validators.map(({ address, voting_power: power }, at) => [
    address,
    power,
    signatures[at].block_id_flag === 2 ? 1 : 0,
  ])
}

async function recorded(height) {
  const [{ block_id: id, block }, { height: _, ...results }] = await Promise.all([
    get(`block?height=${height}`),
    get(`block_results?height=${height}`),
  ])
  const { header, data, evidence, last_commit: commit } = block
  return {
    time: header.time,
    hash: id.hash,
    proposer: header.proposer_address,
    nextValidatorsHash: header.next_validators_hash,
    round: commit.round,
    votes: await votesOf(height, commit),
    misbehavior: evidence.evidence.map(misbehaviorOf),
    txs: data.txs,
    results,
  }
}

const genesis = JSON.parse(readFileSync(genesisPath, 'utf8'))
// A genesis that a node has exported continues the heights of the chain before.
const first = Number(genesis.initial_height) || 1
const { sync_info: sync } = await get('status')
if (Number(sync.earliest_block_height) !== first) throw new Error('the node has pruned its first blocks')
const { response: info } = await get('abci_info')
const blocks = []
for (let height = first; height < Number(sync.latest_block_height); height += 1) blocks.push(await recorded(height))
const chain = {
  node: [info.data, info.version].filter(Boolean).join(' '),
  cuts,
  genesis,
  blocks,
}
const text = JSON.stringify(chain, (_, value) => (typeof value === 'string' ? cut(value) : value))
const compressed = brotliCompressSync(text, {
  params: {
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
  },
})
writeFileSync(path, compressed)
const txs = blocks.reduce((sum, block) => sum + block.txs.length, 0)
console.log(`${path}: ${blocks.length} blocks, ${txs} transactions, ${compressed.length} bytes`)
