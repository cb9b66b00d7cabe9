import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { freePort } from '../../../dev/stack/ports.ts'
import { awaitProbe, createShell, readBlocks } from '../page-commands.ts'

export const page = 'content/docs/run/fleet.md'

/** Returns the only block of the page that contains a text. */
export const findBlock = (text: string, language?: 'sql'): string => {
  const [block, ...others] = readBlocks(page, language).filter((candidate) => candidate.includes(text))
  if (block === undefined || others.length > 0) throw new Error(`not in exactly one block of ${page}: ${text}`)
  return block
}

/** Folder of a machine, in place of a clone. `settings`: the block that writes `machine.env`. */
export type Machine = {
  folder: string
  shell: ReturnType<typeof createShell>
  port: number
  healthPort: number
  settings: string
}

/** Creates the folder of a machine. In it, `npm run build` links the build of the test suite, which has the same sources. */
export const createMachine = async (clone: string, temporalCli: string): Promise<Machine> => {
  mkdirSync(clone)
  const shell = createShell(clone)
  const [port, healthPort] = [await freePort(), await freePort()]
  shell.replaceProgram('temporal', `exec '${temporalCli}' "$@"`)
  shell.replaceProgram(
    'npm',
    `case "$*" in
  'ci --omit=dev') ;;
  'run build') ln -s '${dirname(inject('built').server)}' dist ;;
  *) echo "unknown: $*" >&2; exit 1 ;;
esac
`,
  )
  const settings = findBlock('cat > machine.env')
    .replace('DATA_DIR=/var/lib/backline', `DATA_DIR=${join(clone, 'data')}`)
    .replace(/\bPORT=8787/, `PORT=${port}`)
    .replace('HEALTH_PORT=8788', `HEALTH_PORT=${healthPort}`)
    .replace('machine-1.internal:7400', `127.0.0.1:${await freePort()}`)
  return { folder: clone, shell, port, healthPort, settings }
}

/** Starts the worker and the API of a machine. */
export const startMachine = ({ shell }: Machine): void => {
  for (const program of ['dist/worker.js', 'dist/server.js']) shell.start(['sh', '-euc', `exec ${findBlock(program)}`])
}

export const awaitMachine = async ({ healthPort, port }: Machine): Promise<void> => {
  await awaitProbe(`http://127.0.0.1:${healthPort}/readyz`)
  await awaitProbe(`http://127.0.0.1:${port}/readyz`)
}
