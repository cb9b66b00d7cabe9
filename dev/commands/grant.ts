import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { loadConfig } from '../../config.ts'
import { createDataDir } from '../stack/data-dir.ts'
import { runGrant } from '../stack/granting.ts'
import { print } from '../say.ts'
import { postgresPart } from '../stack/stack.ts'

/** `npm run grant`: grants credits to an account in DATABASE_URL, or in the embedded Postgres of `npm start`. */
export async function main(args: string[]): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  await runGrant(args, databaseUrl)
}

async function databaseUrl(): Promise<string> {
  const config = loadConfig()
  if (config.DATABASE_URL !== undefined) return config.DATABASE_URL
  const dataDir = createDataDir(resolve(config.DATA_DIR))
  return postgresPart({ config, dataDir, secrets: await dataDir.loadSecrets(), print }).urls.applicationUrl
}
