import { explorerRoutes } from './explorerRoutes.ts'
import type { ControlRoute } from './route.ts'
import { routes } from './routes.ts'

const both = [...routes, ...explorerRoutes]
const isRead = ({ verb }: ControlRoute) => verb === 'GET'

/** All routes of the control API below /api; those that only read come first. */
export const allRoutes: readonly ControlRoute[] = [...both.filter(isRead), ...both.filter((route) => !isRead(route))]
