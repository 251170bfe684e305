/** How much of a request and of its response is recorded, in characters. */
export const recordedMost = 16 * 1024

const member = '"method"'
const pattern = /"method"\s*:\s*"([^"]{1,80})"/

/**
 * Returns the method of a JSON-RPC request for display: `eth_call`, `eth_call +2` for a batch of
 * three, or undefined if the text is not JSON-RPC. Only what is recorded is read.
 */
export function methodsIn(text: string): string | undefined {
  const request = text.slice(0, recordedMost)
  const first = pattern.exec(request)?.[1]
  // Most requests are a single call, so the first method is enough.
  if (first === undefined || request.startsWith('{')) return first
  let others = -1
  for (let at = request.indexOf(member); at >= 0; at = request.indexOf(member, at + member.length)) others++
  return others > 0 ? `${first} +${others}` : first
}
