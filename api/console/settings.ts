import type { z } from 'zod'
import { consoleClient, siteSettings, type Config } from '../../config.ts'
import { consoleSettingsSchema } from '../../domain/console/console.ts'
import type { RouteDeps } from '../deps.ts'
import { route, type Route } from '../http/route.ts'
import { routeDefaults } from './route-defaults.ts'
import { withoutTrailingSlashes } from '../../domain/fields/addresses.ts'

type Settings = z.input<typeof consoleSettingsSchema>

export function settingsRoute({ config }: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/console/settings',
    summary: 'Read the settings that the console needs before sign-in',
    auth: 'none',
    ownership: 'Returns no account data and no secrets.',
    responses: { 200: consoleSettingsSchema },
    handle: async () => ({ status: 200, body: toSettings(config) }),
  })
}

function toSettings(config: Config): Settings {
  return {
    consoleUrl: config.consoleUrl,
    apiUrl: config.baseUrl,
    version: config.BUILD_ID,
    isProduction: config.PRODUCTION_MODE,
    signIn: toSignIn(config),
    models: { default: config.defaultModel, choices: config.modelAllowList ?? null },
    requiresCredits: config.REQUIRE_CREDITS,
    plans: toPlans(config),
    takesUploads: config.BLOB_STORE !== 'vercel',
    links: {
      temporalUi: config.TEMPORAL_UI_URL ?? null,
      temporalWorkflows:
        config.TEMPORAL_UI_URL === undefined
          ? null
          : `${withoutTrailingSlashes(config.TEMPORAL_UI_URL)}/namespaces/${config.TEMPORAL_NAMESPACE}/workflows`,
      site: config.SITE ? siteSettings(config).siteUrl : null,
      reference: `${config.baseUrl}/reference`,
      billing: config.billingUrl,
    },
  }
}

function toPlans({ plans: { table }, starterPriceId, proPriceId }: Config): Settings['plans'] {
  const toPlan = (plan: keyof typeof table, isSold: boolean) => {
    const { priceCents, allotment, taskLimit, minGapMinutes } = table[plan]
    return { priceCents, allotment, taskLimit, minGapMinutes, isSold }
  }
  return {
    free: toPlan('free', false),
    starter: toPlan('starter', starterPriceId !== undefined),
    pro: toPlan('pro', proPriceId !== undefined),
  }
}

function toSignIn(config: Config): Settings['signIn'] {
  const client = consoleClient(config)
  if (client === undefined) return null
  const isEmbedded = config.IDENTITY_ISSUER === undefined
  const issuer = config.IDENTITY_ISSUER ?? config.baseUrl
  return {
    issuer,
    discoveryUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    ...client,
    scope: config.CONSOLE_SCOPE,
    bearer: isEmbedded ? 'access_token' : config.CONSOLE_BEARER,
    isEmbedded,
  }
}
