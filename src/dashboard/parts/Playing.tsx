import { linkTo } from '../core/router.ts'
import { Empty } from './basics.tsx'

/** What a playback shows in place of blocks, transactions and accounts: its recording holds responses only. */
export function Playing({ recording }: { recording: string }) {
  return (
    <Empty title={`Playing ${recording}`}>
      Responses come from a recording, which has no blocks or accounts to browse.{' '}
      <a href={linkTo('requests')}>Requests</a> shows what clients asked and what they got.
    </Empty>
  )
}
