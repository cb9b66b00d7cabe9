import type { Sandbox } from '../../providers/sandbox/index.ts'

/** Path of the skills in the home folder of a sandbox. */
export const skillsFolder = '.agents/skills'

/** Returns the path of the home folder inside the sandbox. */
export async function findHome(sandbox: Sandbox, signal: AbortSignal): Promise<string> {
  const { exitCode, output } = await sandbox.exec('printf %s "$HOME"', {
    timeoutMs: 10_000,
    maxOutputBytes: 4096,
    signal,
  })
  if (exitCode !== 0 || !output.startsWith('/')) throw new Error('the sandbox has no home folder')
  return output
}
