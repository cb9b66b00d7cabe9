import postgres from 'postgres'
import { toDriverTarget } from '../../db/postgres/driver/socket.ts'

/** Opens a pool of the bare driver over the same kind of socket as Backline uses. */
export function openDatabase(url: string, options: { max: number }): postgres.Sql {
  const { url: driverUrl, path } = toDriverTarget(url)
  return postgres(driverUrl, { ...options, onnotice: () => {}, ...(path !== undefined && { path }) })
}
