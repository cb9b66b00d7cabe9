import { shuffle } from '../../world/random.ts'
import { describeCampaign } from './short.ts'

describeCampaign({
  kinds: (random) => shuffle(random.fork('kinds'), ['worker', 'all', 'api', random.pick(['postgres', 'temporal'])]),
  apis: 1,
  users: 2,
  minRuns: 4,
})
