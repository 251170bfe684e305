/** Requests to the control port of a chain in another process. */
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { text } from 'node:stream/consumers'

export type ControlRequest = { readonly verb: 'GET' | 'POST' | 'DELETE'; readonly body?: string }
export type ControlReply = { readonly status: number; readonly text: string }

/**
 * Resolves with the response to a request. Rejects if the connection does not open, or closes before the whole
 * response. `fetch` of Node 20 waits for ever for a connection that closes as soon as it is open, as one to a
 * chain that restarts may.
 */
export function askControl(url: string, { verb, body }: ControlRequest): Promise<ControlReply> {
  return new Promise((done, fail) => {
    const request = url.startsWith('https:') ? overHttps : overHttp
    const asking = request(url, { method: verb }, (response) => {
      text(response).then((told) => done({ status: response.statusCode ?? 0, text: told }), fail)
    })
    asking.on('error', fail)
    asking.end(body)
  })
}
