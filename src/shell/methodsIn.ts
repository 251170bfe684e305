/**
 * Returns the method of a request's text: a batch has several, of which the first is named; a text
 * that is no JSON-RPC has none.
 */
export function methodsIn(request: string): string | undefined {
  // One call has one method, and most requests are one call.
  if (request.startsWith('{')) return /"method"\s*:\s*"([^"]{1,80})"/.exec(request)?.[1]
  const names = [...request.matchAll(/"method"\s*:\s*"([^"]{1,80})"/g)].map(([, name]) => name ?? '')
  const [first] = names
  return names.length > 1 ? `${first} +${names.length - 1}` : first
}
