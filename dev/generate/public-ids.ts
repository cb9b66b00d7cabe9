import { writeFile } from 'node:fs/promises'
import { listRoutes } from '../../api/app.ts'
import type { ApiDeps } from '../../api/deps.ts'
import { createMetrics } from '../../api/monitoring/metrics.ts'
import { loadContent, readPublicIds } from '../../api/site/load-content.ts'
import { loadConfig } from '../../config.ts'
import { CommandRefusedError, print } from '../say.ts'

/** `npm run ids`: adds the ids of new texts and operations. Refuses where one that has been public would go. */
export async function main(): Promise<void> {
  const config = loadConfig({})
  // With the routes of the embedded providers, which are declared here and never called.
  const deps = { config, issuer: {}, embeddedPayments: {}, consentPages: {} } as ApiDeps
  const { entries } = await loadContent(config, listRoutes(deps, createMetrics()))
  const known = (await readPublicIds()).split('\n').filter((id) => id !== '')
  const ids = new Set(entries.map(({ header }) => header.id))
  const gone = known.filter((id) => !ids.has(id))
  if (gone.length > 0)
    throw new CommandRefusedError(
      `People have links to ${gone.join(', ')}: keep the names of texts and operations as they are.`,
    )
  await writeFile('content/ids.txt', [...ids].map((id) => `${id}\n`).join(''))
  print(`Wrote content/ids.txt: ${ids.size - known.length} of ${ids.size} are new.`)
}
