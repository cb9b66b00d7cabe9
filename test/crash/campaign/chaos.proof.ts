import { shuffle } from '../../world/random.ts'
import { isFullScale, scaled } from '../../cost/scale.ts'
import type { FaultKind } from '../faults/nemesis.ts'
import { describeCampaign } from './short.ts'

const disturbances: FaultKind[] = ['slow-postgres', 'cut-postgres', 'stall-postgres', 'cut-temporal', 'stall-temporal']

describeCampaign({
  kinds: (random) =>
    shuffle(random.fork('kinds'), [
      ...(['worker', 'api', 'postgres', 'temporal', 'all', 'effect', 'zombie', 'deploy'] as const),
      ...(isFullScale ? (['worker'] as const) : []),
      random.pick(['listen', 'lock'] as const),
      random.pick(['bytewise', 'api-restart'] as const),
      random.pick(disturbances),
    ]),
  apis: 2,
  users: scaled(5, 8),
  minRuns: scaled(8, 10),
})
