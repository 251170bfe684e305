/** Loads x/evidence from a genesis document. */
import { upperHexOf } from '../../../codec/comet.ts'
import { isImplementation } from '../../../codec/schema/files.ts'
import type { Context } from '../context.ts'
import {
  equivocation,
  equivocationHash,
  equivocationProblem,
  isEvidenceStored,
  storeEquivocation,
} from '../modules/evidence/equivocation.ts'
import { anyMessage } from '../wire.ts'
import { InvalidGenesis, list, messageIn, type Section } from './read.ts'

/** Loads the evidence of misbehavior in the past. Throws `InvalidGenesis` for what evmd refuses too. */
export function loadEvidence(context: Context, evidence: Section): void {
  for (const each of list(evidence, 'evidence')) {
    const refused = (problem: string) => new InvalidGenesis(each.path, `evidence that evmd accepts: ${problem}`)
    const { typeUrl, value } = messageIn(each, 'google.protobuf.Any', anyMessage)
    if (!isImplementation(typeUrl, 'cosmos.evidence.v1beta1.Evidence')) {
      throw refused(`no concrete type registered for type URL ${typeUrl} against interface *exported.Evidence`)
    }
    const fault = equivocation.decode(value)
    const problem = equivocationProblem(fault)
    if (problem !== undefined) throw refused(problem)
    const hash = equivocationHash(fault)
    if (isEvidenceStored(context, hash)) throw refused(`evidence with hash ${upperHexOf(hash)} already exists`)
    storeEquivocation(context, fault)
  }
}
