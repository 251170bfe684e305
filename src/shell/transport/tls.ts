/** The TLS certificate of CometBFT RPC, if the settings name one (`comet-rpc.md` §7.1). */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import { SimError } from '../../errors.ts'
import type { Settings } from '../../settings/settings.ts'

export type Tls = { readonly cert: string; readonly key: string }

/**
 * Resolves with the certificate and key, or undefined unless the settings name both files. Relative
 * paths start at the configuration folder. Throws `NoCertificate` and `BadCertificate`.
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
  const tls = {
    cert: await read('tls_cert_file', tlsCertFile),
    key: await read('tls_key_file', tlsKeyFile),
  }
  try {
    createSecureContext(tls)
  } catch (error) {
    throw new BadCertificate(error)
  }
  return tls
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

/** The files were read, but they are not a certificate and its key. */
export class BadCertificate extends SimError {
  constructor(cause: unknown) {
    super(
      'BAD_CERTIFICATE',
      `rpc.tls_cert_file, rpc.tls_key_file: expected a certificate and its key, received ${String(cause)}`,
      { cause, hint: 'Both files must be PEM, and the key must have no passphrase.' },
    )
  }
}
