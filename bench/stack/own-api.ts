import { launch, type LaunchedProcess } from '../../dev/processes/processes.ts'
import { awaitReady, isApiReady } from '../../dev/processes/readiness.ts'
import { freePort } from '../../dev/stack/ports.ts'
import { loadConfig } from '../../config.ts'
import type { Stack } from './stack.ts'

/**
 * Starts another API process with the default settings and `settings`. Its log is discarded, because reading it would
 * add load to the machine that is measured.
 */
export async function startSeparateApi(
  { config, databaseUrl, temporalAddress, built }: Stack,
  settings: Record<string, string> = {},
  nodeOptions: string[] = [],
): Promise<LaunchedProcess & { baseUrl: string }> {
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    DATA_DIR: config.DATA_DIR,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    SERVER_SECRET: config.SERVER_SECRET,
    PORT: String(await freePort()),
    ...settings,
  }
  const part = await launch({
    command: [process.execPath, ...nodeOptions, built.server],
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
    deathSignal: 'TERM',
    stopSteps: [{ signal: 'SIGTERM', waitMs: 15_000 }],
  })
  await awaitReady(part, 'api', () => isApiReady(loadConfig(env)))
  return { ...part, baseUrl: `http://127.0.0.1:${env.PORT}` }
}
