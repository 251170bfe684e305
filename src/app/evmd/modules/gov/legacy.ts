/**
 * Legacy v1beta1 proposals, whose content is a message. They are submitted as v1 proposals with
 * `MsgExecLegacyContent` (x/gov msg_server.go legacyMsgServer). evmd routes text content only.
 */
import { message, nested, repeated, text, uint64 } from '../../../../codec/protobuf/message.ts'
import { GoPanic, nilPointer } from '../../../../codec/comet.ts'
import { utf8Of } from '../../../../data/utf8.ts'
import { accountText, addressOf, govModule, namedAddress } from '../../address.ts'
import type { Context, Handler } from '../../context.ts'
import { handler } from '../../tx/handler.ts'
import { anyMessage, coinField, type StoredAny } from '../../wire.ts'
import { moduleAccount } from '../auth/accounts.ts'
import type { Coin } from '../../coins.ts'
import { govError } from './proposals.ts'
import { legacyContentUrl, submitProposal } from './submit.ts'

type Submit = { content: StoredAny | undefined; deposit: readonly Coin[]; proposer: string }
type Exec = { content: StoredAny | undefined; authority: string }

const msgSubmit = message<Submit>({
  1: ['content', nested(anyMessage)],
  2: ['deposit', repeated(coinField)],
  3: ['proposer', text],
})
const msgExec = message<Exec>({ 1: ['content', nested(anyMessage)], 2: ['authority', text] })
const textProposal = message<{ title: string; description: string }>({
  1: ['title', text],
  2: ['description', text],
})
const submitted = message<{ id: bigint }>({ 1: ['id', uint64] })
const textUrl = '/cosmos.gov.v1beta1.TextProposal'
/** In bytes. */
const mostTitle = 140
const mostDescription = 10_000

export const legacyGovMessages: Readonly<Record<string, Handler>> = {
  '/cosmos.gov.v1beta1.MsgSubmitProposal': handler(msgSubmit, ({ proposer }, at) => addressOf(at, proposer), submit),
  [legacyContentUrl]: handler(
    msgExec,
    ({ authority }, at) => addressOf(at, authority),
    (context, { authority, content }) => {
      moduleAccount(context, 'gov')
      const expected = accountText(context, govModule)
      if (authority !== expected) {
        throw govError(
          13,
          `expected ${expected} got ${authority}: expected gov account as only signer for proposal message`,
        )
      }
      if (context.fixed.panicsOnLegacyProposals) throw new GoPanic(nilPointer)
      checkedText(content)
    },
  ),
}

function submit(context: Context, { content, deposit, proposer }: Submit): Uint8Array {
  if (content === undefined && context.fixed.panicsOnLegacyProposals) throw new GoPanic(nilPointer)
  const { title, description } = checkedText(content)
  const value = msgExec.encode({ content, authority: accountText(context, govModule) })
  const id = submitProposal(context, {
    messages: [{ typeUrl: legacyContentUrl, value }],
    deposit,
    proposer: namedAddress(context, 'proposer', proposer),
    metadata: '',
    title,
    summary: description,
    expedited: false,
  })
  return submitted.encode({ id })
}

function checkedText(content: StoredAny | undefined): { title: string; description: string } {
  const invalid = (why: string): Error => govError(5, `${why}: invalid proposal content`)
  if (content === undefined) throw invalid('missing content')
  if (content.typeUrl !== textUrl) {
    throw govError(9, `${content.typeUrl}: no handler exists for proposal type`)
  }
  const said = textProposal.decode(content.value)
  if (said.title.trim() === '') throw invalid('proposal title cannot be blank')
  if (utf8Of(said.title).length > mostTitle) {
    throw invalid(`proposal title is longer than max length of ${mostTitle}`)
  }
  if (said.description === '') throw invalid('proposal description cannot be blank')
  if (utf8Of(said.description).length > mostDescription) {
    throw invalid(`proposal description is longer than max length of ${mostDescription}`)
  }
  return said
}
