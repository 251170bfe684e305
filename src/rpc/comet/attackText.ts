/**
 * Prints evidence of a light client attack as Go does, over many lines (CometBFT `types/light.go`).
 */
import type {
  Commit,
  CommitSignature,
  Header,
  LightClientAttackEvidence,
  Validator,
  ValidatorSet,
} from '../../chain/block.ts'
import { evidenceHash } from '../../chain/hashing.ts'
import { upperHexOf } from '../../codec/comet.ts'
import { formatTime, goTime } from '../../codec/time.ts'
import { headerHashOf } from './lightBlock.ts'
import { blockIdText, six } from './voteText.ts'

/** Returns evidence as it appears at the end of an error text. */
export function attackText(evidence: LightClientAttackEvidence): string {
  const {
    conflicting: { header, commit, validators },
    commonHeight,
    byzantine,
    totalPower,
    time,
  } = evidence
  const block = [
    'LightBlock{',
    `  SignedHeader{\n    ${headerText(header)}\n    ${commitText(commit)}\n  }`,
    `  ${setText(validators)}`,
    '}',
  ].join('\n')
  return [
    'LightClientAttackEvidence{',
    ...[
      `ConflictingBlock: ${block}, `,
      `CommonHeight: ${commonHeight}, `,
      // CometBFT's own spelling.
      `ByzatineValidators: [${byzantine.map(validatorText).join(' ')}], `,
      `TotalVotingPower: ${totalPower}, `,
      `Timestamp: ${goTime(time)}}#${upperHexOf(evidenceHash(evidence))}`,
    ].map((line) => `\t\t${line}`),
  ].join('\n')
}

function headerText(header: Header): string {
  const lines: readonly (readonly [string, string | bigint])[] = [
    ['Version:', `{${header.version.block} ${header.version.app}}`],
    ['ChainID:', header.chainId],
    ['Height:', header.height],
    ['Time:', goTime(header.time)],
    ['LastBlockID:', blockIdText(header.lastBlockId)],
    ['LastCommit:', upperHexOf(header.lastCommitHash)],
    ['Data:', upperHexOf(header.dataHash)],
    ['Validators:', upperHexOf(header.validatorsHash)],
    ['NextValidators:', upperHexOf(header.nextValidatorsHash)],
    ['App:', upperHexOf(header.appHash)],
    ['Consensus:', upperHexOf(header.consensusHash)],
    ['Results:', upperHexOf(header.lastResultsHash)],
    ['Evidence:', upperHexOf(header.evidenceHash)],
    ['Proposer:', upperHexOf(header.proposerAddress)],
  ]
  const text = lines.map(([name, value]) => `      ${name.padEnd(15)} ${value}`)
  return ['Header{', ...text, `    }#${upperHexOf(headerHashOf(header))}`].join('\n')
}

/** The hash after `#` is empty, because Go computes it lazily. */
function commitText({ height, round, blockId, signatures }: Commit): string {
  return [
    'Commit{',
    `      Height:     ${height}`,
    `      Round:      ${round}`,
    `      BlockID:    ${blockIdText(blockId)}`,
    '      Signatures:',
    `        ${signatures.map(signatureText).join('\n        ')}`,
    '    }#',
  ].join('\n')
}

/** Returns a signature of a commit as Go prints it. */
export function signatureText({ signature, address, flag, time }: CommitSignature): string {
  return `CommitSig{${six(signature)} by ${six(address)} on ${flag} @ ${formatTime(time)}}`
}

function setText({ validators, proposer }: ValidatorSet): string {
  const chosen = validators[proposer]
  return [
    'ValidatorSet{',
    `    Proposer: ${chosen === undefined ? 'nil-Validator' : validatorText(chosen)}`,
    '    Validators:',
    `      ${validators.map(validatorText).join('\n      ')}`,
    '  }',
  ].join('\n')
}

/** Returns a validator as Go prints it. */
export function validatorText({ address, publicKey: { type, bytes }, power, priority }: Validator): string {
  const key = `${type === 'ed25519' ? 'PubKeyEd25519' : 'PubKeySecp256k1'}{${upperHexOf(bytes)}}`
  return `Validator{${upperHexOf(address)} ${key} VP:${power} A:${priority}}`
}
