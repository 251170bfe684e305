/** The development controls, by concept (`peers.md` §2). */
import { table, type Table } from '../table.ts'
import { accounts } from './accounts.ts'
import { automine } from './automine.ts'
import { blockControls } from './blocks.ts'
import { checkpoints } from './checkpoints.ts'
import { impersonation } from './impersonation.ts'
import { info } from './info.ts'
import { interval } from './interval.ts'
import { mining } from './mining.ts'
import { otterscan } from './otterscan.ts'
import { reading } from './reading.ts'
import { refused } from './refused.ts'
import { reorg } from './reorg.ts'
import { simulating } from './simulating.ts'
import { signing } from './signing.ts'
import { state } from './state.ts'
import { sync } from './sync.ts'
import { tenderly } from './tenderly.ts'
import { time } from './time.ts'
import { tokens } from './tokens.ts'
import { traces } from './traces.ts'
import { waiting } from './waiting.ts'
import { wallet } from './wallet.ts'

export const devTable: Table = table([
  ...mining,
  ...automine,
  ...interval,
  ...time,
  ...checkpoints,
  ...accounts,
  ...blockControls,
  ...impersonation,
  ...reorg,
  ...otterscan,
  ...simulating,
  ...reading,
  ...state,
  ...sync,
  ...tokens,
  ...waiting,
  ...info,
  ...tenderly,
  ...signing,
  ...traces,
  ...wallet,
  ...refused,
])
