/** Requests that node:http passes on and that Go's server refuses before any handler runs. */
import type { IncomingMessage } from 'node:http'
import { refuseRaw, refuseVersion } from './httpReply.ts'

/** Refuses a request with an unsupported version, no host or two hosts; returns whether it did. */
export function refusedEarly({ httpVersion, httpVersionMajor, headers, rawHeaders, socket }: IncomingMessage): boolean {
  if (httpVersionMajor !== 1) refuseVersion(socket)
  else if (headers.host === undefined && httpVersion === '1.1') {
    refuseRaw(socket, '400 Bad Request: missing required Host header')
  } else if (namesHostTwice(rawHeaders)) refuseRaw(socket, '400 Bad Request: too many Host headers')
  else return false
  return true
}

/** Returns whether `Host` occurs twice; raw headers alternate names and values. */
function namesHostTwice(raw: readonly string[]): boolean {
  let count = 0
  for (let place = 0; place < raw.length; place += 2) {
    const name = raw[place]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count > 1
}
