import type { StorePort } from '../../providers/store/index.ts'
import type { TeamChatPort } from '../../providers/team-chat/index.ts'
import { kibibytes } from '../http/route.ts'
import type { WorkDeps } from '../deps.ts'

export type ContentDeps = WorkDeps & { store: StorePort }

/** `chat`: the team chat in which users mention the content agent. */
export type ContentAgentDeps = ContentDeps & { chat: TeamChatPort }

export const routeDefaults = {
  tag: {
    name: 'Content',
    description: 'Short vertical videos with a part of a song, and the agent that creates them from a team chat.',
  },
  auth: 'key-or-bearer',
  envelope: 'standard',
  bodyLimit: kibibytes(256),
  rate: 'default',
} as const
