import { writeFile } from 'node:fs/promises'
import { listRoutes, type ApiDeps } from '../../api/app.ts'
import { createMetrics } from '../../api/monitoring/metrics.ts'
import { loadContent, readPublicIds } from '../../api/site/load-content.ts'
import { loadConfig } from '../../config.ts'
import { CommandRefusedError, print } from '../say.ts'

/** `npm run ids`: adds the ids of new pages and operations. Fails if a public id would be removed. */
export async function main(): Promise<void> {
  const config = loadConfig({})
  // Includes the routes of the embedded providers, which are declared but never called.
  const deps = { config, issuer: {}, embeddedPayments: {}, consentPages: {} } as ApiDeps
  const { entries } = await loadContent(config, listRoutes(deps, createMetrics()))
  const publicIds = (await readPublicIds()).split('\n').filter((id) => id !== '')
  const ids = new Set(entries.map(({ header }) => header.id))
  const removed = publicIds.filter((id) => !ids.has(id))
  if (removed.length > 0)
    throw new CommandRefusedError(
      `The ids ${removed.join(', ')} are public: keep the names of their pages and operations.`,
    )
  await writeFile('content/ids.txt', [...ids].map((id) => `${id}\n`).join(''))
  print(`Wrote content/ids.txt: ${ids.size - publicIds.length} of ${ids.size} are new.`)
}
