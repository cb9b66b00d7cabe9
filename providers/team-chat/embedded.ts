import type { ChatMessages } from '../../domain/content/agent/messages.ts'
import { deploymentToken, isDeploymentToken } from '../deployment-token.ts'
import { parseEvent } from './events.ts'
import type { TeamChatPort } from './index.ts'
import { verifySignature } from './signature.ts'

/** Creates the embedded team chat, which stores its messages in the database. */
export function createEmbeddedTeamChat(messages: ChatMessages, signingSecret: string): TeamChatPort {
  return {
    verifyRequest: (headers, rawBody) => verifySignature(signingSecret, { headers, rawBody }),
    parseEvent,
    postMessage: async (threadId, text, { key }) => ({
      messageId: await messages.keep({ threadId, text, key: `${threadId}/${key}` }),
    }),
    postFile: async (threadId, { url, name, caption }, { key }) => ({
      messageId: await messages.keep({ threadId, text: caption, file: { url, name }, key: `${threadId}/${key}` }),
    }),
  }
}

const purpose = 'team chat'

/** Returns the token of the pages. Its holder can read and write as a member of the workspace. */
export function teamChatToken(serverSecret: string): string {
  return deploymentToken(serverSecret, purpose)
}

export function isTeamChatToken(serverSecret: string, token: string): boolean {
  return isDeploymentToken(serverSecret, purpose, token)
}
