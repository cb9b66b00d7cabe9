import { expect } from 'vitest'
import type { Sent, TestAccount, World } from '../world/world.ts'

type Connector = { slug: string; name: string; isConnected: boolean; connectedAccountId: string | null }
type Action = {
  actionSlug: string
  name: string
  description: string
  parameters: Record<string, unknown>
  connectorSlug: string
  isConnected: boolean
  connectedAccountId: string | null
}
export type Body = {
  success: boolean
  error: number
  message: string
  connectors: Connector[]
  actions: Action[]
  missingConnectors?: string[]
  data: { connector: string; redirectUrl: string }
  connector: string
  connectorName: string
  serviceAccount: string | null
  account: { id: string; email: string | null }
  subject: { id: string }
  connected: boolean
  target: string | null
  trusted: boolean
  result: Record<string, unknown>
  executedAt: string
  name: string
  mimetype: string
  key: string
}

/** A web app that confirms connections: these worlds have no console. */
export const webApp = { WEB_APP_URL: 'https://app.example' }

/** The code that a browser brings to the page where a connection is confirmed. */
const readCode = (back: Response): string => {
  expect(back.status).toBe(303)
  const url = new URL(back.headers.get('location') ?? '')
  expect(url.pathname).toBe('/settings/connectors')
  return new URLSearchParams(url.hash.slice(1)).get('confirm') ?? ''
}

/** Who asks, and for which account. */
export type Requester = Pick<TestAccount, 'key'> & { accountId?: string }

const accountQuery = ({ accountId }: Requester): Record<string, string> =>
  accountId === undefined ? {} : { account_id: accountId }

const buildQuery = (by: Requester, more: Record<string, string> = {}): string =>
  `?${new URLSearchParams({ ...accountQuery(by), ...more }).toString()}`

/** The connector routes of a world, as its callers use them. */
export const createConnectorApi = (world: () => World) => {
  const send = (method: string, path: string, by: Requester, body?: object, sent: Sent = {}) =>
    world().request<Body>(method, `/api/connectors${path}`, {
      key: by.key,
      ...(body && { body: { ...body, ...accountQuery(by) } }),
      ...sent,
    })
  const list = (by: Requester) => send('GET', buildQuery(by), by)
  const actions = (by: Requester, more: Record<string, string> = {}) =>
    send('GET', `/actions${buildQuery(by, more)}`, by)
  const authorize = (by: Requester, connector: string, more: object = {}) =>
    send('POST', '', by, { connector, ...more })
  const execute = (by: Requester, actionSlug: string, parameters: object = {}, key?: string) =>
    send(
      'POST',
      '/actions',
      by,
      { actionSlug, parameters },
      key === undefined
        ? {}
        : { headers: { 'idempotency-key': key }, body: { actionSlug, parameters, ...accountQuery(by) } },
    )
  const disconnect = (by: Requester, id: string) => send('DELETE', '', by, { connected_account_id: id })
  const stage = (by: Requester, url: string, actionSlug: string) => send('POST', '/files', by, { url, actionSlug })

  /** Follows a redirect of a browser on this machine, whatever address the service believes to have. */
  const open = (url: string, init: RequestInit = {}): Promise<Response> => {
    const { baseUrl, config } = world()
    const here = url.startsWith(config.baseUrl) ? baseUrl + url.slice(config.baseUrl.length) : url
    return fetch(here, { redirect: 'manual', ...init })
  }
  /** Answers the consent page of the embedded broker; returns the response of the callback. */
  const consent = async (redirectUrl: string, choice: 'allow' | 'refuse' = 'allow'): Promise<Response> => {
    const answer = await open(redirectUrl, { method: 'POST', body: new URLSearchParams({ choice }) })
    expect(answer.status).toBe(303)
    return open(answer.headers.get('location') ?? '')
  }
  const show = (by: Pick<Requester, 'key'>, code: string) => send('POST', '/confirmations', { key: by.key }, { code })
  const decide = (by: Pick<Requester, 'key'>, code: string, connect = true) =>
    send('PUT', '/confirmations', { key: by.key }, { code, connect })
  /** Confirms what a browser came back with, as the page does for the account that began. */
  const confirm = async (by: Pick<Requester, 'key'>, back: Response): Promise<void> => {
    const { status, body } = await decide(by, readCode(back))
    expect([status, body.connected]).toEqual([200, true])
  }
  const idOf = async (by: Requester, slug: string): Promise<string | null> => {
    const { body } = await list(by)
    return body.connectors.find((one) => one.slug === slug)?.connectedAccountId ?? null
  }
  /** Connects a toolkit of the embedded broker; its id. */
  const connect = async (by: Requester, slug: string): Promise<string> => {
    const { status, body } = await authorize(by, slug)
    expect([status, body.message]).toEqual([200, undefined])
    await confirm(by, await consent(body.data.redirectUrl))
    const id = await idOf(by, slug)
    if (id === null) throw new Error(`${slug} was not connected`)
    return id
  }
  return {
    send,
    list,
    actions,
    authorize,
    execute,
    disconnect,
    stage,
    open,
    consent,
    readCode,
    show,
    decide,
    confirm,
    idOf,
    connect,
  }
}
