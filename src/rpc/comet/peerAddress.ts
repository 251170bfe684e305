/**
 * Checks p2p addresses `id@host:port` with the node's error texts (CometBFT `p2p/netaddress.go`).
 */
import { readGoHex } from '../../codec/base64.ts'
import { failed } from './errors.ts'

const idBytes = 20

/** Throws the error of the first invalid address. */
export function checkAddresses(addresses: readonly string[]): void {
  for (const address of addresses) checkAddress(address)
}

/**
 * Throws the error of the first invalid node id, before any peer becomes private or unconditional.
 */
export function checkIds(ids: readonly string[]): void {
  ids.forEach((id, index) => {
    const problem = idProblem(id)
    if (problem !== undefined) throw failed(`wrong ID #${index}: ${problem}`)
  })
}

function checkAddress(address: string): void {
  const bare = address.includes('://') ? address.slice(address.indexOf('://') + 3) : address
  const parts = bare.split('@')
  if (parts.length !== 2) throw failed(`address (${bare}) does not contain ID`)
  const [id = '', hostPort = ''] = parts
  const problem = idProblem(id)
  if (problem !== undefined) throw failed(`invalid address (${bare}): ${problem}`)
  const at = hostPort.lastIndexOf(':')
  if (at < 0) {
    throw failed(`invalid address (${hostPort}): address ${hostPort}: missing port in address`)
  }
  if (at === 0) throw failed(`invalid address (${hostPort}): host is empty`)
  checkPort(hostPort.slice(at + 1))
}

function checkPort(port: string): void {
  const isNumber = /^[0-9]+$/.test(port)
  if (isNumber && BigInt(port) < 65_536n) return
  const why = isNumber ? 'value out of range' : 'invalid syntax'
  throw failed(`invalid address (${port}): strconv.ParseUint: parsing ${JSON.stringify(port)}: ${why}`)
}

function idProblem(id: string): string | undefined {
  if (id === '') return 'empty ID'
  const bytes = readGoHex(id)
  if (typeof bytes === 'string') return bytes
  return bytes.length === idBytes ? undefined : `invalid hex length - got ${bytes.length}, expected ${idBytes}`
}
