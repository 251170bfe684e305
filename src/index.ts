/**
 * chainstage as a library: starts the same server as the command line, on ports of your choice or
 * without ports.
 */
export { start, type Ports, type Server, type Session, type StartOptions } from './shell/start.ts'
export type {
  Checkpoint,
  Duration,
  FaultDescription,
  FaultOptions,
  Handle,
  Journal,
} from './shell/handle.ts'
export {
  RpcFailed,
  type CometProvider,
  type EthMessage,
  type EthProvider,
} from './shell/provider.ts'
export type { Urls } from './shell/urls.ts'
export type { Settings } from './settings/settings.ts'
export { SimError } from './errors.ts'
export { defineScenario, type ScenarioDescription } from './scenario/defineScenario.ts'
