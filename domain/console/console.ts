import { z } from 'zod'

const planTerms = z.object({
  priceCents: z.int(),
  /** Balance, in credits, to which each period refills the account. */
  allotment: z.int(),
  taskLimit: z.int().nullable(),
  minGapMinutes: z.int(),
  /** Whether this deployment sells the plan. */
  isSold: z.boolean(),
})

/** Settings of the console before sign-in. Contains no secret. */
export const consoleSettingsSchema = z.object({
  consoleUrl: z.string(),
  apiUrl: z.string(),
  version: z.string(),
  isProduction: z.boolean(),
  signIn: z
    .object({
      issuer: z.string(),
      discoveryUrl: z.string(),
      clientId: z.string(),
      scope: z.string(),
      redirectUri: z.string(),
      bearer: z.enum(['access_token', 'id_token']),
      isEmbedded: z.boolean(),
    })
    .nullable(),
  models: z.object({ default: z.string(), choices: z.array(z.string()).nullable() }),
  requiresCredits: z.boolean(),
  plans: z.object({ free: planTerms, starter: planTerms, pro: planTerms }),
  /** Whether this API stages files. Otherwise, the console offers no uploads. */
  takesUploads: z.boolean(),
  links: z.object({
    temporalUi: z.string().nullable(),
    /** Address of the workflows in the web interface of Temporal; a run is at `<address>/<run id>`. */
    temporalWorkflows: z.string().nullable(),
    site: z.string().nullable(),
    reference: z.string(),
    billing: z.string(),
  }),
})

/** The caller and its permissions in the console. */
export const viewerSchema = z.object({
  accountId: z.guid(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  isAdmin: z.boolean(),
  via: z.enum(['key', 'bearer']),
  expiresAt: z.iso.datetime().nullable(),
})

/** Bearer token that the console receives in exchange for its cookie, and the account that the token identifies. */
export const consoleBearerSchema = viewerSchema
  .pick({ accountId: true, name: true, email: true, isAdmin: true })
  .extend({ bearer: z.string(), expiresInSeconds: z.int(), signInId: z.guid() })

/** A browser that stays signed in. */
export const consoleSignInSchema = z.object({
  id: z.guid(),
  userAgent: z.string(),
  createdAt: z.iso.datetime(),
  lastUsed: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** True for the sign-in of this request. */
  isCurrent: z.boolean(),
})

/** An account that the caller can select by `account_id`. */
export const reachableSchema = z.object({
  id: z.guid(),
  kind: z.enum(['person', 'organization']),
  name: z.string().nullable(),
  /** Set only for a person. */
  email: z.string().nullable(),
})

export const maxConsoleKeySeconds = 60 * 60

export const consoleKeySchema = z.object({
  key: z.string(),
  id: z.guid(),
  accountId: z.guid(),
  expiresAt: z.iso.datetime(),
})
