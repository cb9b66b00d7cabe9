import { writeFile } from 'node:fs/promises'
import { test } from 'vitest'
import { listRoutes } from '../../api/app.ts'
import { createMetrics } from '../../api/monitoring/metrics.ts'
import { createWorld } from '../world/world.ts'
test('table', async () => {
  const world = await createWorld({ worker: false })
  const rows = listRoutes(world.deps, createMetrics()).map((r) =>
    [r.method, r.path, r.auth, r.rate, r.bodyLimit, r.idempotent ?? '-', typeof r.widensAccess === 'function' ? 'fn' : (r.widensAccess ?? '-'), r.streamedBody ?? '-', r.audited ?? '-', r.authorize ? 'authz' : '-', r.ownership].join(' | '),
  )
  await writeFile('/tmp/gaps-routes.txt', rows.join('\n'))
  await world.close()
})
