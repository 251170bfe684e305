import { evidenceHash } from '../../chain/hashing.ts'
import { base64Of } from '../../codec/base64.ts'
import { action } from '../method.ts'
import { failed } from './errors.ts'
import { checkEvidence, isKnown } from './evidencePool.ts'
import { evidenceCodec, evidenceOf } from './evidenceParam.ts'
import { cometParam } from './params.ts'
import { base64Text, objectOf } from './results.ts'

export const broadcast_evidence = action({
  name: 'broadcast_evidence',
  summary: 'Submits evidence of validator misbehavior, which the next block contains.',
  spec: 'comet-rpc.md §1.28',
  params: [cometParam('evidence', evidenceCodec)],
  result: objectOf({ hash: base64Text }),
  traits: ['submits'],
  examples: [
    {
      before: [
        ['validators', null, null, null],
        ['cause_double_sign', '$1.validators.0.address'],
        ['advance_blocks', '1'],
        ['block', null],
      ],
      params: ['$4.block.evidence.evidence.0'],
      result: { hash: '…' },
    },
  ],
  command: ({ node: { chain } }, [given]) => {
    if (given === undefined) throw failed('no evidence was provided')
    const evidence = evidenceOf(given)
    if (isKnown(chain, evidence)) return { type: 'none' }
    checkEvidence(chain, evidence)
    return { type: 'addEvidence', evidence }
  },
  reply: (_context, _outcome, [given]) => {
    if (given === undefined) throw failed('no evidence was provided')
    return { hash: base64Of(evidenceHash(evidenceOf(given))) }
  },
})
