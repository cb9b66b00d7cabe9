import { shuffle } from '../random.ts'
import { describeCampaign } from './short-campaign.ts'

describeCampaign({
  kinds: (random) => shuffle(random.fork('kinds'), ['worker', 'all', 'api', random.pick(['postgres', 'temporal'])]),
  users: 4,
  leastRuns: 6,
})
