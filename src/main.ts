#!/usr/bin/env node
import { main } from './shell/cli/index.ts'

process.exitCode = await main(process.argv.slice(2))
