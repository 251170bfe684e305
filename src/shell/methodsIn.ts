/**
 * Returns the method of a request's text: a batch has several, of which the first is named; a text
 * that is no JSON-RPC has none.
 */
export function methodsIn(request: string): string | undefined {
  const names = [...request.matchAll(/"method"\s*:\s*"([^"]{1,80})"/g)]
    .map(([, name]) => name ?? '')
  const [first] = names
  return names.length > 1 ? `${first} +${names.length - 1}` : first
}
