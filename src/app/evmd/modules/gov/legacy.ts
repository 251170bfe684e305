/**
 * Proposals of v1beta1, whose content is a message that only says something: they go on as a v1
 * proposal with `MsgExecLegacyContent` (x/gov msg_server.go legacyMsgServer). evmd routes texts
 * alone.
 */
import { message, nested, repeated, text, uint64 } from '../../../../codec/protobuf/message.ts'
import { accountText, addressOf, govModule, namedAddress } from '../../address.ts'
import type { Context } from '../../context.ts'
import { handler, type Handler } from '../../tx/handler.ts'
import { anyMessage, coinField, type StoredAny } from '../../wire.ts'
import type { Coin } from '../bank/coins.ts'
import { govError } from './proposals.ts'
import { submitProposal } from './submit.ts'

type Submit = { content: StoredAny | undefined; deposit: readonly Coin[]; proposer: string }
type Exec = { content: StoredAny | undefined; authority: string }

const msgSubmit = message<Submit>({
  1: ['content', nested(anyMessage)], 2: ['deposit', repeated(coinField)], 3: ['proposer', text],
})
const msgExec = message<Exec>({ 1: ['content', nested(anyMessage)], 2: ['authority', text] })
const textProposal = message<{ title: string; description: string }>({
  1: ['title', text], 2: ['description', text],
})
const submitted = message<{ id: bigint }>({ 1: ['id', uint64] })
const textUrl = '/cosmos.gov.v1beta1.TextProposal'
const execUrl = '/cosmos.gov.v1.MsgExecLegacyContent'
const mostTitle = 140
const mostDescription = 10_000

export const legacyGovMessages: Readonly<Record<string, Handler>> = {
  '/cosmos.gov.v1beta1.MsgSubmitProposal': handler(
    msgSubmit, ({ proposer }) => addressOf(proposer), submit,
  ),
  [execUrl]: handler(msgExec, ({ authority }) => addressOf(authority), (
    _, { authority, content }
  ) => {
    const expected = accountText(govModule)
    if (authority !== expected) {
      throw govError(13, `expected ${expected} got ${authority}: expected gov account as only signer for `
        + 'proposal message')
    }
    checkedText(content)
  }),
}

function submit(context: Context, { content, deposit, proposer }: Submit): Uint8Array {
  const { title, description } = checkedText(content)
  const value = msgExec.encode({ content, authority: accountText(govModule) })
  const id = submitProposal(context, {
    messages: [{ typeUrl: execUrl, value }], deposit, proposer: namedAddress('proposer', proposer),
    metadata: '', title, summary: description, expedited: false,
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
  if (said.title.length > mostTitle) {
    throw invalid(`proposal title is longer than max length of ${mostTitle}`)
  }
  if (said.description === '') throw invalid('proposal description cannot be blank')
  if (said.description.length > mostDescription) {
    throw invalid(`proposal description is longer than max length of ${mostDescription}`)
  }
  return said
}
