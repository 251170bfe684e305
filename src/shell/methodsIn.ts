/**
 * Returns the method of a JSON-RPC request for display: `eth_call`, `eth_call +2` for a batch of
 * three, or undefined if the text is not JSON-RPC.
 */
export function methodsIn(request: string): string | undefined {
  // Most requests are a single call, so the first method is enough.
  if (request.startsWith('{')) return /"method"\s*:\s*"([^"]{1,80})"/.exec(request)?.[1]
  let first: string | undefined
  let others = -1
  for (const [, name] of request.matchAll(/"method"\s*:\s*"([^"]{1,80})"/g)) {
    first ??= name
    others++
  }
  return others > 0 ? `${first} +${others}` : first
}
