/**
 * Resolves with the exports of a module of the user. This is a part of its own, without compiled code:
 * code that `parts.ts` runs cannot import modules that the bundle does not contain.
 */
export function importModule(url: URL): Promise<unknown> {
  return import(url.href)
}
