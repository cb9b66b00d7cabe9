import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { ensurePersonInTransaction, type StartCredits } from '../../db/accounts/people.ts'
import type { Tx } from '../../db/postgres/client.ts'
import { hashKey, insertKey, newRawKey } from '../../db/accounts/keys.ts'
import { claimAttempt, deleteCode, hashCode, isSameHash, storeCode } from '../../db/accounts/verifications.ts'
import { codeMail } from '../../domain/accounts/mails.ts'
import { email } from '../../domain/mail/addresses.ts'
import { agentKeyName, codeHours, isAgentAddress, verificationCode } from '../../domain/accounts/verification.ts'
import { recordAuditAccount, recordAuditObject } from '../access/audit.ts'
import { ApiError } from '../http/errors.ts'
import { createEmailRate } from '../http/limits/rates.ts'
import { hasNoStartCredits, resolveStartingCredits } from './starting-credits.ts'
import { sendMail, sendMailTimeoutMs, type MailDeps } from '../mail/delivery.ts'
import { kibibytes, route, ok, type Caller, type Route } from '../http/route.ts'

const routeDefaults = {
  tag: { name: 'Signup', description: 'Signup of agents with an email address.' },
  method: 'POST',
  auth: 'none',
  envelope: 'standard',
  bodyLimit: kibibytes(256),
  rate: 'signup',
  audited: true,
} as const

const responseSchema = z.object({ account_id: z.guid(), api_key: z.string().nullable(), message: z.string() })

// Every response contains the same text, so that it does not reveal whether the address has an account.
const signupMessage =
  'Signed up. If api_key is null, a code was emailed to the address; exchange it for a key with POST /api/agents/verify.'

// The text is about the network instead of the account, so that it does not reveal whether the account is new.
const noCreditsMessage =
  'New accounts from this network start without credits: its share of starting credits for the last 24 hours is used up.'

export function agentRoutes(deps: MailDeps): Route[] {
  return [signupRoute(deps), verifyRoute(deps)]
}

function signupRoute(deps: MailDeps): Route {
  const { config, db } = deps
  const serverSecret = config.SERVER_SECRET ?? ''
  const countEmail = createEmailRate(deps)

  /** Returns a key for a new account with an agent address. For any other address, stores the code and returns no key. */
  const signUp = (
    address: string,
    code: string,
    credits: StartCredits,
  ): Promise<{ accountId: string; key: string | null }> =>
    db.begin(async (tx) => {
      const { accountId, isNew } = await ensurePersonInTransaction(tx, address, credits)
      if (isNew && isAgentAddress(address, config.agentEmailDomain))
        return { accountId, key: await mintKey(tx, serverSecret, accountId) }
      await storeCode(tx, { email: address, codeHash: hashCode(serverSecret, address, code) }, codeHours)
      return { accountId, key: null }
    })

  return route({
    ...routeDefaults,
    path: '/api/agents/signup',
    waitMs: sendMailTimeoutMs,
    summary: 'Sign up with an email address',
    description:
      'Returns an API key immediately for a new agent address. For any other address, sends a code by email; exchange it for a key with POST /api/agents/verify.',
    ownership: 'Creates or finds the account of the address and reveals only its id.',
    example: { email: 'ada@example.com' },
    body: z.object({ email }),
    responses: { 200: responseSchema },
    errors: ['invalid_request', 'rate_limited', 'bad_gateway'],
    handle: async ({ caller, holder, body }) => {
      await countEmail(body.email)
      const code = String(randomInt(100_000, 1_000_000))
      const hasNoCredits = await hasNoStartCredits(deps, db, holder.address)
      const { accountId, key } = await signUp(body.email, code, resolveStartingCredits(deps, holder.address))
      recordAccount(caller, accountId)
      if (key === null) await mailCode(deps, body.email, code)
      const message = hasNoCredits ? `${signupMessage} ${noCreditsMessage}` : signupMessage
      return ok({ account_id: accountId, api_key: key, message })
    },
  })
}

async function mintKey(tx: Tx, serverSecret: string, accountId: string): Promise<string> {
  const key = newRawKey()
  await insertKey(tx, { accountId, name: agentKeyName(new Date()), keyHash: hashKey(serverSecret, key) })
  return key
}

function recordAccount(caller: Caller, accountId: string): void {
  recordAuditAccount(caller, accountId)
  recordAuditObject(caller, accountId)
}

async function mailCode(deps: MailDeps, address: string, code: string): Promise<void> {
  // Imported with the first code, because its dependencies would be a tenth of the code that the API loads at start.
  const { renderMail } = await import('../../domain/mail/render.ts')
  const { subject, markdown: text } = codeMail(code)
  const { sent } = await sendMail(deps, { to: [address], ...renderMail({ subject, text }) })
  if (!sent) throw new ApiError('bad_gateway', 'The email could not be sent')
}

function verifyRoute(deps: MailDeps): Route {
  const { config, db } = deps
  const serverSecret = config.SERVER_SECRET ?? ''

  /** Consumes the code and creates a key. A code gives only one key. */
  const redeem = (
    address: string,
    codeHash: string,
    credits: StartCredits,
  ): Promise<{ accountId: string; key: string } | undefined> =>
    db.begin(async (tx) => {
      if (!(await deleteCode(tx, { email: address, codeHash }))) return undefined
      const { accountId } = await ensurePersonInTransaction(tx, address, credits)
      return { accountId, key: await mintKey(tx, serverSecret, accountId) }
    })

  return route({
    ...routeDefaults,
    path: '/api/agents/verify',
    summary: 'Exchange a code for an API key',
    description: 'A code can be used once, within 24 hours. It becomes invalid after five wrong attempts.',
    ownership: 'Returns an API key of the account to whose address the code was emailed.',
    example: { email: 'ada@example.com', code: '123456' },
    body: z.object({ email, code: verificationCode }),
    responses: { 200: responseSchema },
    errors: ['invalid_request', 'rate_limited'],
    handle: async ({ caller, holder, body }) => {
      const codeHash = hashCode(serverSecret, body.email, body.code)
      const attempt = await claimAttempt(db, body.email, config.RATE_LIMIT_CODE_TRIES_PER_HOUR)
      if (attempt !== undefined && 'lockedSeconds' in attempt) throw tooManyAttempts(attempt.lockedSeconds)
      if (attempt === undefined || !isSameHash(attempt.codeHash, codeHash)) throw wrongCode()
      const credentials = await redeem(body.email, codeHash, resolveStartingCredits(deps, holder.address))
      if (credentials === undefined) throw wrongCode()
      recordAccount(caller, credentials.accountId)
      return ok({ account_id: credentials.accountId, api_key: credentials.key, message: 'Send the key as x-api-key.' })
    },
  })
}

function tooManyAttempts(seconds: number): ApiError {
  return new ApiError('rate_limited', 'Too many wrong codes', { retryAfter: seconds })
}

function wrongCode(): ApiError {
  return new ApiError('invalid_request', 'The code is wrong or has expired')
}
