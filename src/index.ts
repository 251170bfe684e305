/** chainstage inside a program: the same server as the command line starts, on ports of your choice. */
export { start, type Server, type StartOptions } from './shell/start.ts'
export type { Settings } from './settings/settings.ts'
export { SimError } from './errors.ts'
