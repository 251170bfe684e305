/** Certificates for a NATS server that demands TLS, and for its clients. */
import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Why tests of TLS are skipped here; undefined where they run. */
export const noOpenssl =
  spawnSync('openssl', ['version']).status === 0 ? undefined : 'openssl is not installed: apt-get install openssl'

export type Authority = {
  readonly ca: string
  /** Returns the paths of a new certificate for 127.0.0.1 and of its key. */
  readonly issue: (name: string) => { readonly cert: string; readonly key: string }
}

/** Returns a new certificate authority, with its files in a folder. */
export function newAuthority(folder: string, called: string): Authority {
  const at = (name: string, ending: string) => join(folder, `${called}-${name}.${ending}`)
  const openssl = (...words: readonly string[]) => execFileSync('openssl', words, { stdio: 'pipe' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const ca = at('ca', 'pem')
  const request = ['req', '-x509', ...newKey, '-days', '2', '-subj', `/CN=${called}`]
  openssl(...request, '-keyout', at('ca', 'key'), '-out', ca)
  return {
    ca,
    issue: (name) => {
      const [cert, key, asked, extra] = [at(name, 'pem'), at(name, 'key'), at(name, 'csr'), at(name, 'ext')]
      writeFileSync(extra, 'subjectAltName=IP:127.0.0.1,DNS:localhost\n')
      openssl('req', ...newKey, '-subj', `/CN=${name}`, '-keyout', key, '-out', asked)
      const signing = [
        'x509',
        '-req',
        '-in',
        asked,
        '-CA',
        ca,
        '-CAkey',
        at('ca', 'key'),
        '-CAcreateserial',
        '-days',
        '2',
      ]
      openssl(...signing, '-extfile', extra, '-out', cert)
      return { cert, key }
    },
  }
}
