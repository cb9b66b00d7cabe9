import type { StorePort } from '../../providers/store/index.ts'
import type { TeamChatPort } from '../../providers/team-chat/index.ts'
import { standardRoute } from '../http/route.ts'
import type { WorkDeps } from '../deps.ts'

export type ContentDeps = WorkDeps & { store: StorePort }

/** `chat`: the team chat in which users mention the content agent. */
export type ContentAgentDeps = ContentDeps & { chat: TeamChatPort }

export const routeDefaults = {
  ...standardRoute,
  tag: {
    name: 'Content',
    description: 'Short vertical videos with a part of a song, and the agent that creates them from a team chat.',
  },
} as const
