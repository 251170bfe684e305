/** Metadata of proposals in the recommended format (x/gov types/metadata.go). */
import { array, type Codec, defaulting, object, text } from '../../../../codec/codec.ts'
import { DecodeError } from '../../../../codec/decodeError.ts'
import { JsonSyntaxError, parseJson } from '../../../../codec/goJson.ts'

type ProposalMetadata = {
  readonly title: string
  readonly authors: readonly string[]
  readonly summary: string
  readonly details: string
  readonly proposal_forum_url: string
  readonly vote_option_context: string
}

const optionalText: Codec<string> = defaulting(text(), '')
const proposalMetadata: Codec<ProposalMetadata> = object(
  {
    title: optionalText,
    authors: defaulting(array(text(), '[]string'), []),
    summary: optionalText,
    details: optionalText,
    proposal_forum_url: optionalText,
    vote_option_context: optionalText,
  },
  { goType: 'types.ProposalMetadata' },
)

/**
 * Returns the title and the summary in metadata, read as Go's `json.Unmarshal` does: absent members
 * are empty, and so are both in `null`. Returns undefined for metadata in another format.
 */
export function readMetadata(metadata: string): Pick<ProposalMetadata, 'title' | 'summary'> | undefined {
  try {
    const { title, summary } = proposalMetadata.decode(parseJson(metadata), '')
    return { title, summary }
  } catch (error) {
    if (error instanceof DecodeError || error instanceof JsonSyntaxError) return undefined
    throw error
  }
}
