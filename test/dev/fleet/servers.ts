import { join } from 'node:path'
import { inject } from 'vitest'
import { print } from '../../../dev/say.ts'
import { ensureCli } from '../../../dev/stack/temporal/cli.ts'
import { createObjectStore } from '../../crash/fleet/store.ts'
import { startLoadBalancer } from '../../crash/fleet/load-balancer.ts'
import { createEmptyDatabase } from '../page-commands.ts'

/**
 * Starts the servers that the page names, in the folder of the test. `substitute` replaces their documented addresses and
 * credentials in a block.
 */
export const startServers = async (folder: string) => {
  const loadBalancer = await startLoadBalancer()
  const store = await createObjectStore({ folder: join(folder, 'store'), logFile: join(folder, 'store.log') })
  const storeProcess = await store.start(() => {})
  await store.createBucket()
  const database = await createEmptyDatabase('fleet')
  const ownerUrl = database.select(inject('postgresUrl'))
  const replacements: [string, string][] = [
    ['https://agents.example.com', loadBalancer.url],
    ['192.0.2.10', '127.0.0.1'],
    ['HOST=0.0.0.0', 'HOST=127.0.0.1'],
    ['postgres://backline:password@db.internal:5432/backline', ownerUrl],
    [
      'postgres://backline_app:$(openssl rand -hex 24)@db.internal:5432/backline',
      database.select(inject('applicationUrl')),
    ],
    ['temporal.internal:7233', inject('temporalAddress')],
    ['--namespace backline', `--namespace ${database.name}`],
    ['TEMPORAL_NAMESPACE=backline', `TEMPORAL_NAMESPACE=${database.name}`],
  ]
  const substitute = (block: string): string =>
    replacements
      .reduce((text, [documented, actual]) => text.replaceAll(documented, () => actual), block)
      .replaceAll(/^(BLOB_S3_\w+)=.*$/gm, (_, name: string) => `${name}=${store.settings[name]}`)
  return {
    loadBalancer,
    ownerUrl,
    temporalCli: await ensureCli(undefined, print),
    substitute,
    close: async (): Promise<void> => {
      await loadBalancer.close()
      await storeProcess.stop()
    },
  }
}
