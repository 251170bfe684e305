/** The overview of the commands, which is printed without loading any of them. */
import test from 'ava'
import { firstSentence } from '../../../src/shell/cli/help.ts'
import { verbSummaries, verbs } from '../../../src/shell/cli/verbs.ts'

test('the overview says of each command what the command says of itself', async (t) => {
  const own = await Promise.all(
    Object.entries(verbs).map(async ([name, load]) => {
      const command = (await load())(() => {})
      return [name, command.summary() || firstSentence(command.description())] as const
    }),
  )
  t.true(own.length > 20)
  t.deepEqual({ ...verbSummaries }, Object.fromEntries(own))
})
