import { readFileSync } from 'node:fs'

/** Returns the parsed JSON of `test/golden/<name>`; read where it is, as it is not compiled. */
export function golden<Shape>(name: string): Shape {
  const url = new URL(`../../test/golden/${name}`, import.meta.url)
  return JSON.parse(readFileSync(url, 'utf8')) as Shape
}
