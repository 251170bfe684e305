import { basename, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { projectKinds, writeProject } from '../newProject.ts'
import type { Verb } from './verb.ts'

/**
 * `chainstage new`: creates a project with a scenario, tests of every interface and a CI workflow.
 */
export const create: Verb = () =>
  new Command('new')
    .description('Create a project with a scenario, tests and a CI workflow.')
    .argument('[folder]', 'Folder of the new project.', '.')
    .addOption(
      new Option('--with <tool>', 'Test runner or library of the project.').choices(projectKinds).default('node'),
    )
    .option('--json', 'Print as JSON.')
    .action(async (folder: string, { with: kind, json }: { with: string; json?: boolean }) => {
      const path = resolve(folder)
      const wrote = await writeProject(path, { kind, name: basename(path) })
      const enter = path === process.cwd() ? '' : `  cd ${/^[\w./~-]+$/.test(folder) ? folder : `"${folder}"`}\n`
      process.stdout.write(
        json === true
          ? `${JSON.stringify({ folder: path, wrote })}\n`
          : `${wrote.map((file) => `wrote ${file}`).join('\n')}\n\nNext:\n${enter}  npm install\n  npm test\n`,
      )
    })
