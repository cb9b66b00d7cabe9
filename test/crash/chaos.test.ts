import { shuffle } from '../random.ts'
import { describeCampaign } from './campaign/short.ts'

describeCampaign({
  kinds: (random) => shuffle(random.fork('kinds'), ['worker', 'all', 'api', random.pick(['postgres', 'temporal'])]),
  users: 4,
  leastRuns: 6,
})
