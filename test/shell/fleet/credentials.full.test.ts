/** Logins with keys and certificates: the right one joins, a wrong one is told so, and no secret is shown. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { cli, freePorts, scratch } from '../../helpers/cli.ts'
import { newNkey, newOperator } from '../../helpers/natsKeys.ts'
import { noNats, startMember, startNats } from '../../helpers/nats.ts'
import { newAuthority, noOpenssl } from '../../helpers/natsTls.ts'

const withNats = noNats === undefined ? test.serial : test.skip
if (noNats !== undefined) test.skip(noNats, () => {})
const withTls = noNats === undefined && noOpenssl === undefined ? test.serial : test.skip
if (noOpenssl !== undefined) test.skip(noOpenssl, () => {})

type Login = {
  /** The configuration of the server. */
  readonly config: string
  readonly flags: readonly string[]
  /** Flags that the server refuses, and the error. */
  readonly wrong: readonly (readonly [flags: readonly string[], error: RegExp])[]
  readonly secrets: readonly string[]
  readonly scheme?: 'tls'
}

const rejected = /cannot connect to NATS at 127\.0\.0\.1:\d+: the server rejected the credentials/

const logsIn = test.macro(async (t, make: (folder: string) => Login) => {
  t.timeout(120_000)
  const folder = scratch()
  const { config, flags, wrong, secrets, scheme } = make(folder)
  const nats = await startNats(['-c', written(folder, 'nats.conf', config)])
  t.teardown(nats.remove)
  const url = scheme === undefined ? nats.url : nats.url.replace('nats:', `${scheme}:`)
  const member = await startMember(url, 'login', [...flags, '--checkpoints', folder])
  t.teardown(member.kill)
  const saved = await fetch(`${member.control}/api/checkpoints/saved`, { method: 'POST', body: '{"name":"all"}' })
  const { path } = (await saved.json()) as { path: string }
  const shown = await Promise.all(
    ['status', 'fleet', 'journal', 'chain-info'].map(async (name) =>
      (await fetch(`${member.control}/api/${name}`)).text(),
    ),
  )
  const ask = (given: readonly string[]) => cli(['fleet', 'status', '--fleet', url, '--fleet-name', 'login', ...given])
  const known = await ask(flags)
  t.is(known.code, 0, known.err)
  const refusals = []
  for (const [given, error] of wrong) {
    const refused = await ask(given)
    t.not(refused.code, 0)
    t.regex(refused.err, error)
    refusals.push(refused)
  }
  const [first] = wrong
  const notStarted = await cli(['start', '--fleet', url, ...(first?.[0] ?? []), ...freePorts])
  t.regex(notStarted.err, first?.[1] ?? /never/)
  const printed = [known, notStarted, ...refusals].flatMap(({ out, err }) => [out, err])
  const all = [...shown, ...printed, member.started.out(), member.started.err(), readFileSync(path, 'latin1')]
  for (const secret of secrets) t.false(all.some((text) => text.includes(secret)))
})

function written(folder: string, name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text, { mode: 0o600 })
  return path
}

withNats('an nkey logs in, an unknown one does not', logsIn, (folder) => {
  const [known, unknown] = [newNkey('user'), newNkey('user')]
  return {
    config: `authorization { users: [ { nkey: ${known.publicKey} } ] }`,
    flags: ['--fleet-nkey', written(folder, 'known.nk', `${known.seed}\n`)],
    wrong: [
      [['--fleet-nkey', written(folder, 'unknown.nk', unknown.seed)], rejected],
      [['--fleet-nkey', written(folder, 'public.nk', known.publicKey)], /expected a seed that starts with S/],
      [['--fleet-nkey', join(folder, 'none.nk')], /expected a file with NATS credentials, received .*none\.nk: ENOENT/],
    ],
    secrets: [known.seed, unknown.seed],
  }
})

withNats('a credentials file logs in, one of another account does not', logsIn, (folder) => {
  const { config, credentials } = newOperator()
  const [known, foreign] = [credentials(true), credentials(false)]
  return {
    config,
    flags: ['--fleet-creds', written(folder, 'known.creds', known.file)],
    wrong: [
      [['--fleet-creds', written(folder, 'foreign.creds', foreign.file)], rejected],
      [
        ['--fleet-creds', written(folder, 'broken.creds', known.token)],
        /expected a user JWT and its nkey seed in the file of --fleet-creds/,
      ],
    ],
    secrets: [known.seed, known.token, foreign.seed, foreign.token],
  }
})

withTls('a client certificate logs in over TLS, other certificates and authorities do not', logsIn, (folder) => {
  const [own, foreign] = [newAuthority(folder, 'own'), newAuthority(folder, 'foreign')]
  const [server, client, stranger] = [own.issue('server'), own.issue('client'), foreign.issue('stranger')]
  const flagsOf = (ca: string, { cert, key }: { cert: string; key: string }) =>
    ['--fleet-tls-ca', ca, '--fleet-tls-cert', cert, '--fleet-tls-key', key] as const
  const keyText = (path: string) => readFileSync(path, 'utf8').split('\n')[1] ?? ''
  return {
    config: `tls { cert_file: "${server.cert}", key_file: "${server.key}", ca_file: "${own.ca}", verify: true }`,
    scheme: 'tls',
    flags: flagsOf(own.ca, client),
    wrong: [
      [flagsOf(foreign.ca, client), /cannot connect to NATS at 127\.0\.0\.1:\d+: TLS failed: check --fleet-tls-ca/],
      [flagsOf(own.ca, stranger), /: the server ended the connection: check --fleet-tls-cert and --fleet-tls-key/],
      [['--fleet-tls-ca', own.ca], /: the server ended the connection: check --fleet-tls-cert and --fleet-tls-key/],
    ],
    secrets: [keyText(client.key), keyText(stranger.key)],
  }
})
