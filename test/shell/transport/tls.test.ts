import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { WebSocket } from 'ws'
import { codeOfError } from '../../../src/shell/cli/exitCodes.ts'
import { startLocal } from '../../helpers/server.ts'

/** For localhost, signed by itself: it is good for nothing but this test. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUVsWI6zsfxJ8ygA064KHgj6Me5mgwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTEyMDI1MVoYDzIxMjYxMDI4
MTIwMjUxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAT9OyK2tF7CUwreUn3cLFCfvZz3/akg441/SeLx2mDCfqYbHYYIGwfv
MCiNUXakBz8PjvTUNw2JT1ql/Xja4PXno28wbTAdBgNVHQ4EFgQUinWosYTeF69Q
P33I2pvC7wL/b4gwHwYDVR0jBBgwFoAUinWosYTeF69QP33I2pvC7wL/b4gwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhALMNdl5LmKONKK1xiGAGsTF+YLXf/4hPbSmHIH6mh3NFAiAx
ZycUVn8sx+OAHh44p4lU1uYbCP4HsCJcvng95CrB9g==
-----END CERTIFICATE-----
`
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgTQ34adjYof8twYNg
fMeg2vOfXvZgjcq6hWm+gCFprVShRANCAAT9OyK2tF7CUwreUn3cLFCfvZz3/akg
441/SeLx2mDCfqYbHYYIGwfvMCiNUXakBz8PjvTUNw2JT1ql/Xja4PXn
-----END PRIVATE KEY-----
`

const folder = mkdtempSync(join(tmpdir(), 'chainstage-tls-'))
const [tlsCertFile, tlsKeyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
writeFileSync(tlsCertFile, certificate)
writeFileSync(tlsKeyFile, key)
test.after.always(() => rmSync(folder, { recursive: true }))

function get(url: string): Promise<string> {
  return new Promise((done, fail) => {
    https
      .get(url, { rejectUnauthorized: false, agent: false }, (response) => {
        let text = ''
        response.on('data', (part) => {
          text += String(part)
        })
        response.on('end', () => done(text))
      })
      .on('error', fail)
  })
}

test('with a certificate and its key CometBFT RPC speaks TLS, and only that', async (t) => {
  await using server = await startLocal({ application: 'kvstore', tlsCertFile, tlsKeyFile })
  t.regex(server.urls.comet, /^https:/)
  t.is(await get(`${server.urls.comet}/health`), '{"jsonrpc":"2.0","id":-1,"result":{}}')
  await t.throwsAsync(fetch(`${server.urls.comet.replace('https', 'http')}/health`))
})

test('subscribers of a TLS listener hear every event', async (t) => {
  await using server = await startLocal({ application: 'kvstore', tlsCertFile, tlsKeyFile, maxOpenConnections: 2 })
  t.regex(server.urls.cometWs, /^wss:/)
  const socket = new WebSocket(server.urls.cometWs, { rejectUnauthorized: false })
  const heard: string[] = []
  socket.on('message', (data) => {
    heard.push(String(data))
  })
  await new Promise((done) => {
    socket.once('open', done)
  })
  const ask = (id: number, method: string, params: object) => {
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
  }
  ask(1, 'subscribe', { query: "tm.event='NewBlockHeader'" })
  ask(2, 'advance_blocks', { num_blocks: '20' })
  await new Promise<void>((done) => {
    socket.on('message', () => {
      if (heard.length === 22) done()
    })
  })
  t.is(heard.filter((text) => text.includes('tendermint/event/NewBlockHeader')).length, 20)
  socket.terminate()
})

test('a connection that never begins its TLS handshake does not delay the end of a server', async (t) => {
  const server = await startLocal({ tlsCertFile, tlsKeyFile })
  const socket = connect(Number(new URL(server.urls.comet).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  // The listener has taken the connection when it has answered a later one.
  await get(`${server.urls.comet}/health`)
  const began = performance.now()
  await server.close()
  t.true(performance.now() - began < 60_000, 'a handshake may take two minutes')
  socket.destroy()
})

test('a certificate without its key is not used, as on the node', async (t) => {
  await using server = await startLocal({ application: 'kvstore', tlsCertFile })
  t.is((await fetch(`${server.urls.comet}/health`)).status, 200)
})

test('a certificate that is not there is named', async (t) => {
  await t.throwsAsync(startLocal({ application: 'kvstore', tlsCertFile: '/nowhere.pem', tlsKeyFile }), {
    code: 'NO_CERTIFICATE',
    message: 'rpc.tls_cert_file: cannot read /nowhere.pem',
  })
})

test('files that are not a certificate and its key are refused as a mistake of the user', async (t) => {
  for (const files of [
    { tlsCertFile: tlsKeyFile, tlsKeyFile },
    { tlsCertFile, tlsKeyFile: tlsCertFile },
  ]) {
    const error = await t.throwsAsync(startLocal({ application: 'kvstore', ...files }), { code: 'BAD_CERTIFICATE' })
    t.is(codeOfError(error), 2)
  }
})
