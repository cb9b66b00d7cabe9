import { chown, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from '../../../db/postgres/client.ts'
import { makeCertificate } from '../../world/certificate.ts'
import { eventually } from '../../world/world.ts'

/**
 * Enables TLS on the shared test server until `withdraw` is called. Returns the certificate, which is only valid for
 * 127.0.0.1.
 */
export const offerTls = async (pool: Pool): Promise<{ cert: string; withdraw: () => Promise<void> }> => {
  const { key, cert } = await makeCertificate('127.0.0.1')
  const folder = String((await pool`show data_directory`)[0]?.['dataDirectory'])
  const owner = (await stat(folder)).uid
  const files = { crt: join(folder, 'server.crt'), key: join(folder, 'server.key') }
  await writeFile(files.crt, cert)
  await writeFile(files.key, key, { mode: 0o600 })
  for (const file of Object.values(files)) await chown(file, owner, owner)
  const setTls = async (state: 'on' | 'off'): Promise<void> => {
    await pool.unsafe(`alter system set ssl = ${state}`)
    await pool`select pg_reload_conf()`
    const isApplied = async (): Promise<boolean> => (await pool`show ssl`)[0]?.['ssl'] === state
    await eventually(`TLS ${state}`, async () => ((await isApplied()) ? true : undefined))
  }
  await setTls('on')
  const withdraw = async (): Promise<void> => {
    await setTls('off')
    for (const file of Object.values(files)) await rm(file)
  }
  return { cert, withdraw }
}
