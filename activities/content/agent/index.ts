import type { ContentDeps } from '../deps.ts'
import { createMentionActivities } from './mention.ts'
import { createPollActivities } from './polling.ts'
import { createPostActivities } from './posts.ts'

export function createAgentActivities(deps: ContentDeps) {
  return { ...createMentionActivities(deps), ...createPostActivities(deps), ...createPollActivities(deps) }
}
