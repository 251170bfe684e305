import type { Fake } from '../../scenario/fixtures/fakedText.ts'

/** Resolves with the generator of made-up names, which is slow to load, if a file of a scenario uses it. */
export async function fakeFor(texts: Iterable<string>): Promise<Fake | undefined> {
  const isWanted = [...texts].some((text) => text.includes('${faker.'))
  return isWanted ? (await import('../../scenario/fixtures/fake.ts')).fake : undefined
}
