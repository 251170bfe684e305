/**
 * Returns the integer of a JSON text: a number or a string, decimal or 0x. Returns undefined for
 * anything else.
 */
export function quantityText(json: string): bigint | undefined {
  const text = json.startsWith('"') ? String(JSON.parse(json)) : json
  return /^(-?\d+|0x[0-9a-fA-F]+)$/.test(text) ? BigInt(text) : undefined
}
