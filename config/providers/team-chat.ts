import { z } from 'zod'
import { uuid } from '../../domain/fields/fields.ts'
import { deploymentToken } from '../../providers/deployment-token.ts'
import { listProblems, mayEmbed, requireHttps, requireSettings, type Mode } from '../requirements.ts'
import { anyUrl, choice, json, secret } from '../values.ts'

const teamChatShape = {
  TEAMCHAT_PROVIDER: choice(['embedded', 'slack']).describe(
    'Team chat of the content agent: embedded (pages of this service) or Slack.',
  ),
  TEAMCHAT_ACCOUNTS: json(z.record(z.string().min(1), uuid))
    .optional()
    .describe(
      'JSON object that links each team chat workspace to the account that owns and pays for its videos, such as {"T012345":"<account id>"}. `npm start` links the workspace `local` of the embedded team chat to the demo account.',
    ),
  TEAMCHAT_SIGNING_SECRET: secret(
    'Secret that verifies the signatures of team chat events: for Slack, the signing secret of the app. Default with the embedded team chat: derived from SERVER_SECRET.',
    16,
  ),
  TEAMCHAT_TOKEN: secret('Bot token for TEAMCHAT_PROVIDER=slack.'),
  TEAMCHAT_API_URL: anyUrl('https://slack.com/api/').describe('URL of the Web API of Slack, with a trailing slash.'),
  CALLBACK_SECRET: secret(
    'Secret with which a run authenticates its report to POST /api/content-agent/callback. Default outside production mode: derived from SERVER_SECRET.',
    16,
  ),
}

type Config = z.output<z.ZodObject<typeof teamChatShape>> & Mode & { SERVER_SECRET?: string | undefined }

/** Returns the settings for `createTeamChat`. */
export function teamChatSettings(config: Config) {
  const signingSecret =
    config.TEAMCHAT_SIGNING_SECRET ?? deploymentToken(config.SERVER_SECRET ?? '', 'team chat events')
  return config.TEAMCHAT_PROVIDER === 'slack'
    ? ({
        provider: 'slack',
        signingSecret,
        token: config.TEAMCHAT_TOKEN ?? '',
        apiUrl: config.TEAMCHAT_API_URL,
      } as const)
    : ({ provider: 'embedded', signingSecret } as const)
}

/** Returns the secret of callbacks; undefined in production mode without the setting, so that all callbacks are rejected. */
export function callbackSecret(config: Config): string | undefined {
  if (config.CALLBACK_SECRET !== undefined || config.PRODUCTION_MODE) return config.CALLBACK_SECRET
  return deploymentToken(config.SERVER_SECRET ?? '', 'content callback')
}

/** True if the agent accepts mentions. In production mode, this requires all its secrets. */
export function receivesTeamChat(config: Config): boolean {
  if (!config.PRODUCTION_MODE) return true
  const hasPlatform =
    config.TEAMCHAT_PROVIDER === 'slack' ? config.TEAMCHAT_TOKEN !== undefined : mayEmbed(config, 'team-chat')
  return hasPlatform && config.TEAMCHAT_SIGNING_SECRET !== undefined && config.CALLBACK_SECRET !== undefined
}

export const teamChatGroup = { settings: teamChatShape, validate: validateTeamChat }

function validateTeamChat(config: Config): string[] {
  const isRequired = config.TEAMCHAT_PROVIDER === 'slack' && !config.PRODUCTION_MODE
  const secrets = isRequired ? (['TEAMCHAT_TOKEN', 'TEAMCHAT_SIGNING_SECRET'] as const) : []
  return [
    ...requireSettings(config, secrets, 'with TEAMCHAT_PROVIDER=slack'),
    ...requireHttps(config, ['TEAMCHAT_API_URL']),
    ...listProblems({
      'TEAMCHAT_API_URL must end with a slash.': !new URL(config.TEAMCHAT_API_URL).pathname.endsWith('/'),
    }),
  ]
}
