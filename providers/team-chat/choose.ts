import type { ChatMessages } from '../../domain/content/agent/messages.ts'
import { createEmbeddedTeamChat } from './embedded.ts'
import type { TeamChatPort } from './index.ts'

export type TeamChatSettings =
  | { provider: 'embedded'; signingSecret: string }
  | { provider: 'slack'; signingSecret: string; token: string; apiUrl: string }

/** Creates the team chat of this deployment. Loads a vendor's library only if that vendor is configured. */
export async function createTeamChat(settings: TeamChatSettings, messages: ChatMessages): Promise<TeamChatPort> {
  if (settings.provider === 'slack') return (await import('./slack/index.ts')).createSlackChat(settings)
  return createEmbeddedTeamChat(messages, settings.signingSecret)
}
