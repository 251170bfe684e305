/** Logins to a NATS server that asks for one: the right one joins, a wrong one is told so, and no secret is printed. */
import test from 'ava'
import { cli, freePorts } from '../../helpers/cli.ts'
import { noNats, startMember, startNats } from '../../helpers/nats.ts'

const withNats = noNats === undefined ? test.serial : test.skip
if (noNats !== undefined) test.skip(noNats, () => {})

const secret = 'pass-w0rd-nobody-sees'
const logins = {
  user: { server: ['--user', 'alice', '--pass', secret], flags: ['--fleet-user', 'alice', '--fleet-password'] },
  token: { server: ['--auth', secret], flags: ['--fleet-token'] },
}

for (const [kind, { server, flags }] of Object.entries(logins)) {
  withNats(`a ${kind} logs in, another one is refused, and neither is printed`, async (t) => {
    t.timeout(120_000)
    const nats = await startNats(server)
    t.teardown(nats.remove)
    const member = await startMember(nats.url, 'login', [...flags, secret])
    t.teardown(member.kill)
    const status = async (given: string) =>
      cli(['fleet', 'status', '--fleet', nats.url, '--fleet-name', 'login', ...flags, given])
    const [known, wrong] = [await status(secret), await status(`${secret}-not`)]
    t.is(known.code, 0, known.err)
    t.regex(wrong.err, /cannot connect to NATS at 127\.0\.0\.1:\d+: the server rejected the credentials/)
    const inUrl = nats.url.replace('//', kind === 'user' ? `//alice:${secret}@` : `//${secret}@`)
    const byUrl = await cli(['fleet', 'status', '--fleet', inUrl, '--fleet-name', 'login'])
    t.is(byUrl.code, 0, byUrl.err)
    const refused = await cli(['start', '--fleet', `${inUrl.replace(secret, 'wr0ng-secret')}`, ...freePorts])
    t.regex(refused.err, /the server rejected the credentials/)
    const shown = await Promise.all(
      ['status', 'fleet', 'settings'].map(async (path) => (await fetch(`${member.control}/api/${path}`)).text()),
    )
    const printed = [member.started.out(), member.started.err(), ...shown]
    for (const { out, err } of [known, wrong, byUrl, refused]) printed.push(out, err)
    t.false(printed.join('\n').includes(secret))
    t.false(printed.join('\n').includes('wr0ng-secret'))
  })
}
