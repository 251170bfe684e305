import type { AppInfo } from '../../app/abci.ts'
import { AppFailed } from '../../app/application.ts'
import { base64Of } from '../../codec/base64.ts'
import { upperHexOf } from '../../codec/comet.ts'
import type { PlainObject } from '../../codec/goJsonWrite.ts'
import { query } from '../method.ts'
import { isDocumented } from './abciInfoForm.ts'
import { named, objectOf } from './results.ts'

export const abci_info = query({
  name: 'abci_info',
  summary: "Returns the application's name and versions, its last height and its last app hash.",
  spec: 'comet-rpc.md §1.27',
  params: [],
  result: objectOf({ response: named('ResponseInfo') }),
  traits: ['cacheable', 'aboutHead'],
  examples: [{ params: [], result: { response: '…' } }],
  read: ({ world, node: { chain, settings }, caller }) => {
    const { infoFails, appVersion } = settings
    if (infoFails !== '') throw new AppFailed(infoFails)
    const own = world.app.info(chain.app)
    const info = appVersion === '' ? own : { ...own, version: appVersion }
    return {
      response: isDocumented(settings, caller.transport) ? documented(info) : onTheWire(info),
    }
  },
})

/** Five texts, all required; the hash is upper-case hex (design §3). */
function documented({ data, version, appVersion, lastBlockHeight, lastBlockAppHash }: AppInfo): PlainObject {
  return {
    data,
    version,
    app_version: appVersion.toString(),
    last_block_height: lastBlockHeight.toString(),
    last_block_app_hash: upperHexOf(lastBlockAppHash),
  }
}

/** Zero values are omitted; the hash is base64. */
function onTheWire({ data, version, appVersion, lastBlockHeight, lastBlockAppHash }: AppInfo): PlainObject {
  return {
    data: data === '' ? undefined : data,
    version: version === '' ? undefined : version,
    app_version: appVersion === 0n ? undefined : appVersion.toString(),
    last_block_height: lastBlockHeight === 0n ? undefined : lastBlockHeight.toString(),
    last_block_app_hash: lastBlockAppHash.length === 0 ? undefined : base64Of(lastBlockAppHash),
  }
}
