/** /cosmos.upgrade.v1beta1.Query */
import { concatBytes } from '../../../data/bytes.ts'
import { message, text, uint64 } from '../../../codec/protobuf/message.ts'
import { accountText, govModule } from '../address.ts'
import { prefixRange } from '../storeKeys.ts'
import { TxError } from '../txError.ts'
import { itemResponse, type Methods, ofText, stored } from './answer.ts'
import { listed } from './page.ts'

const upgrade = '/cosmos.upgrade.v1beta1.Query/'
const planKey = Uint8Array.of(0)
const versionsAt = Uint8Array.of(2)
const moduleVersion = message<{ name: string; version: bigint }>({
  1: ['name', text],
  2: ['version', uint64],
})
const authority = message<{ address: string }>({ 1: ['address', text] })

export const upgradeQueries: Methods = {
  [`${upgrade}CurrentPlan`]: (context) => {
    const plan = stored(context, 'upgrade', planKey)
    return plan.length === 0 ? plan : itemResponse(plan)
  },
  // No plan is ever executed, because the chain halts at its height.
  [`${upgrade}AppliedPlan`]: () => new Uint8Array(0),
  [`${upgrade}UpgradedConsensusState`]: () => new Uint8Array(0),
  [`${upgrade}ModuleVersions`]: (context, data) => {
    const { text: name } = ofText.decode(data)
    const at = concatBytes([versionsAt, new TextEncoder().encode(name)])
    const all = [...context.store('upgrade').iterate(prefixRange(versionsAt))]
    const found =
      name === ''
        ? all
        : all.filter(([key]) => key.length === at.length && at.every((byte, index) => key[index] === byte))
    if (found.length === 0) {
      throw new TxError(`x/upgrade: QueryModuleVersions module ${name} not found: module version not found`, {
        code: 2,
        codespace: 'upgrade',
      })
    }
    const items = found.map(([key, value]) =>
      moduleVersion.encode({
        name: new TextDecoder().decode(key.slice(1)),
        version: value.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n),
      }),
    )
    return listed.encode({ items, page: undefined })
  },
  [`${upgrade}Authority`]: (context) => authority.encode({ address: accountText(context, govModule) }),
}
