import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { searchEnvironment } from '../providers/bare-environment.ts'
import { built, isBuilt, type BuildOutput } from './commands/build.ts'
import { CommandRefusedError } from './say.ts'

/**
 * Runs `build` in a separate process, because a build allocates half a gigabyte of memory that this process would never
 * release.
 */
export async function buildApart(): Promise<BuildOutput> {
  if (!(await isBuilt())) await runBuild()
  return built
}

async function runBuild(): Promise<void> {
  const child = spawn(process.execPath, ['dev/bootstrap.mjs', 'build'], {
    env: searchEnvironment,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const kill = (): boolean => child.kill()
  process.once('exit', kill)
  const [code] = (await once(child, 'exit')) as [number | null]
  process.removeListener('exit', kill)
  if (code !== 0) throw new CommandRefusedError('The build failed: see the error above.')
}
