import { freePort } from '../dev/ports.ts'

/** Environment of a whole stack of its own: nothing of it meets another copy on this machine. */
export const stackEnvironment = async (dataDir: string): Promise<NodeJS.ProcessEnv> => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  XDG_CACHE_HOME: process.env['XDG_CACHE_HOME'],
  TEMPORAL_CLI: process.env['TEMPORAL_CLI'],
  DATA_DIR: dataDir,
  PORT: String(await freePort()),
  POSTGRES_PORT: String(await freePort()),
  TEMPORAL_PORT: String(await freePort()),
  TEMPORAL_UI_PORT: String(await freePort()),
})
