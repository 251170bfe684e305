import { explorerRoutes } from './explorerRoutes.ts'
import type { ControlRoute } from './route.ts'
import { routes } from './routes.ts'

const both = [...routes, ...explorerRoutes]
const reads = both.filter(({ verb }) => verb === 'GET')

/** All routes of the control API below /api; those that only read come first. */
export const allRoutes: readonly ControlRoute[] = [...reads, ...both.filter((route) => !reads.includes(route))]
