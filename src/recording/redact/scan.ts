/**
 * Scans exchanges for secrets before they are written. An exchange with a secret is withheld
 * entirely.
 */
import { isMnemonicWord } from '../../crypto/mnemonicWords.ts'
import { mayTakeKey } from '../../rpc/anyMethod.ts'
import { itemTexts, memberTexts } from '../playback/slice.ts'
import type { TapLine } from '../playback/tapLine.ts'

/** `where` names the part of the exchange and the position in it. */
export type Secret = { readonly rule: string; readonly where: string }

/**
 * Only the start of a secret has to match. Runs have no `{n,}`, because V8 keeps a state for each of their
 * characters. A run of some MiB, such as a chunk of the genesis, would exceed its stack.
 */
const rules: readonly (readonly [string, RegExp])[] = [
  ['private key block', /-----BEGIN [A-Z ]*PRIVATE KEY/],
  ['JSON web token', /\beyJ[\w-]{8}[\w-]*\.[\w-]{8}[\w-]*\.[\w-]{4}/],
  ['authorization', /\b(?:bearer\s+[\w.~+/=-]{8}|basic\s+[A-Za-z0-9+/]{12})|authorization\\*"?\s*[:=]/i],
  [
    'API key of a service',
    /\b(?:AKIA[0-9A-Z]{16}|gh[pousr]_\w{30}|sk[-_][\w-]{20}|xox[abpr]-[\w-]{10}|AIza[\w-]{35}|glpat-[\w-]{16}|npm_\w{30})/,
  ],
  [
    'named secret',
    new RegExp(
      `"(?:${
        'x[-_]?api[-_]?key|api[-_]?key|private[-_]?key|priv[-_]?key|mnemonic|seed[-_]?phrase|' +
        'secret|client[-_]?secret|passw(?:or)?d|pass[-_]?phrase|access[-_]?token|auth[-_]?token|refresh[-_]?token'
      })\\\\*"\\s*:\\s*\\\\*["{\\[0-9]`,
      'i',
    ),
  ],
  [
    'secret in a query string',
    /[?&](?:x?-?api[-_]?key|key|access[-_]?token|auth(?:_?token)?|token|secret|password)=[^&\s"]{4}/i,
  ],
  // JSON may write a slash as \/.
  ['credentials in a URL', /\b(?:https?|wss?|tcp):(?:\\?\/){2}[^\s"\\/?#@]+@/i],
  ['key in a URL', /\b(?:https?|wss?):(?:\\?\/){2}[^\s"]*?\/v\d+\\?\/[\w-]{16}/i],
]

/** Returns the first secret in an exchange. `known` lists values that are secret in this run. */
export function secretIn(line: TapLine, known: readonly string[]): Secret | undefined {
  const { path, req, res, text, at, headers } = line
  const parts = {
    path,
    req,
    res,
    text,
    at,
    headers: headers === undefined ? undefined : JSON.stringify(headers),
  }
  for (const [name, part] of Object.entries(parts)) {
    if (part === undefined) continue
    const found = secretOf(part, known) ?? keyParam(name, part)
    if (found !== undefined) return { rule: found.rule, where: `${name} at ${found.at}` }
  }
  return undefined
}

type Found = { readonly rule: string; readonly at: number }

/**
 * Returns the first secret in a text, also behind escapes and in hex, base64 or base64url, one
 * inside another.
 */
function secretOf(text: string, known: readonly string[]): Found | undefined {
  let layer: readonly Layer[] = spellingsOf([{ text, at: undefined }])
  for (let depth = 0; ; depth++) {
    for (const { text: one, at } of layer) {
      const found = plainSecretIn(one, known)
      if (found !== undefined) return { rule: found.rule, at: at ?? found.at }
    }
    if (depth === layersMost) return undefined
    // The same run can be of several encodings that decode alike.
    const inner = new Map<string, number>()
    for (const outer of layer) {
      for (const { decoded, at } of decodedIn(outer.text)) inner.set(decoded, outer.at ?? at)
    }
    layer = spellingsOf([...inner].map(([decoded, at]) => ({ text: decoded, at })))
  }
}

/** How many encodings inside one another are read. */
const layersMost = 4

/** Runs to decode; shorter ones cannot contain a secret of 8 characters. Like rules, they have no `{n,}`. */
const encodings = [
  { pattern: /(?:[0-9a-f]{2}){8}(?:[0-9a-f]{2})*/gi, encoding: 'hex' },
  { pattern: /[a-z0-9+/]{11}[a-z0-9+/]*/gi, encoding: 'base64' },
  { pattern: /[a-z0-9_-]{11}[a-z0-9_-]*/gi, encoding: 'base64url' },
] as const

/** A decoded text, and the position of its run in the whole text. */
type Layer = { readonly text: string; readonly at: number | undefined }

/** Adds to each text that has escapes of JSON or of URLs the text without them. */
function spellingsOf(layer: readonly Layer[]): readonly Layer[] {
  return layer.flatMap((one) => {
    const plain = one.text.replace(escapes, (_, unit?: string, byte?: string) =>
      String.fromCharCode(Number.parseInt(unit ?? byte ?? '2f', 16)),
    )
    return plain === one.text ? [one] : [one, { ...one, text: plain }]
  })
}

const escapes = /\\+\/|\\+u([0-9a-f]{4})|%([0-9a-f]{2})/gi

function decodedIn(text: string): readonly { readonly decoded: string; readonly at: number }[] {
  return encodings.flatMap(({ pattern, encoding }) =>
    [...text.matchAll(pattern)].map(({ 0: run, index }) => ({
      decoded: Buffer.from(run, encoding).toString('latin1'),
      at: index,
    })),
  )
}

function plainSecretIn(text: string, known: readonly string[]): Found | undefined {
  for (const one of known) {
    const at = one.length < 6 ? -1 : text.indexOf(one)
    if (at >= 0) return { rule: 'a secret value of this environment', at }
  }
  for (const [rule, pattern] of rules) {
    const at = text.search(pattern)
    if (at >= 0) return { rule, at }
  }
  return mnemonicIn(text)
}

/** Finds twelve consecutive words of the mnemonic list, with any separators except letters. */
function mnemonicIn(text: string): Found | undefined {
  for (const found of text.matchAll(/[a-z]{3,8}(?:(?:[\s",]|\\n|\\"|%20|\+){1,6}[a-z]{3,8}){11,}/gi)) {
    const words =
      found[0]
        .toLowerCase()
        .replaceAll(/\\n|%20/g, ' ')
        .match(/[a-z]+/g) ?? []
    let row = 0
    for (const word of words) {
      row = isMnemonicWord(word) ? row + 1 : 0
      if (row >= 12) return { rule: 'mnemonic', at: found.index }
    }
  }
  return undefined
}

/** Finds a private key: a parameter of 32 hex bytes, for a method that may take a key. */
function keyParam(part: string, text: string): Found | undefined {
  if (part !== 'req' && part !== 'text') return undefined
  const messages = text.trim().startsWith('[') ? itemTexts(text) : [text]
  for (const message of messages) {
    const found = memberTexts(message)
    const method = /^"(\w+)"$/.exec(found.get('method') ?? '')?.[1] ?? ''
    const params = found.get('params') ?? ''
    const at = params.search(/"(?:0x)?[0-9a-fA-F]{64}"/)
    if (at >= 0 && mayTakeKey(method)) {
      return { rule: 'private key', at }
    }
  }
  return undefined
}
