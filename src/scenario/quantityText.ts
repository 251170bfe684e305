/** Returns the integer that a JSON text is, as a number or in a text, decimal or 0x; undefined for others. */
export function quantityText(json: string): bigint | undefined {
  const text = json.startsWith('"') ? String(JSON.parse(json)) : json
  return /^(-?\d+|0x[0-9a-fA-F]+)$/.test(text) ? BigInt(text) : undefined
}
