/**
 * One exchange of raw traffic as `tap/1` writes it: `t` is ms since the start when it arrived,
 * `ws-in` is from client to node, bodies are raw text. `head` is a height that the recorder itself
 * saw.
 */
export type TapLine = {
  readonly n?: number
  readonly t: number
  readonly iface: 'a' | 'b'
  readonly kind: string
  readonly conn: number
  readonly method?: string
  readonly path?: string
  readonly req?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly res?: string
  readonly text?: string
  readonly ms?: number
  readonly height?: number
}
