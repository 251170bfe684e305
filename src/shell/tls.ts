/** The TLS certificate of CometBFT RPC, if the settings name one (`comet-rpc.md` §7.1). */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { SimError } from '../errors.ts'
import type { Settings } from '../settings/settings.ts'

export type Tls = { readonly cert: string; readonly key: string }

/**
 * Resolves with the certificate and key, or undefined unless the settings name both files. Relative
 * paths start at the configuration folder. Throws `NoCertificate`.
 */
export async function readTls(
  { tlsCertFile, tlsKeyFile }: Settings,
  home: string | undefined,
): Promise<Tls | undefined> {
  if (tlsCertFile === '' || tlsKeyFile === '') return undefined
  const read = (name: string, path: string) =>
    readFile(home === undefined ? resolve(path) : resolve(home, 'config', path), 'utf8').catch((cause: unknown) => {
      throw new NoCertificate(name, path, cause)
    })
  return {
    cert: await read('tls_cert_file', tlsCertFile),
    key: await read('tls_key_file', tlsKeyFile),
  }
}

/** The certificate or key file cannot be read. */
export class NoCertificate extends SimError {
  constructor(name: string, path: string, cause: unknown) {
    super('NO_CERTIFICATE', `rpc.${name}: cannot read ${path}`, {
      cause,
      hint: 'Paths are relative to the config folder of --home or, without --home, to the working directory.',
    })
  }
}
