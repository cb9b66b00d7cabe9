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

/** A web app that confirms connections, because these worlds have no console. */
export const webApp = { WEB_APP_URL: 'https://app.example' }

/** Returns the confirmation code in the redirect of a callback response. */
const readCode = (back: Response): string => {
  expect(back.status).toBe(303)
  const url = new URL(back.headers.get('location') ?? '')
  expect(url.pathname).toBe('/settings/connectors')
  return new URLSearchParams(url.hash.slice(1)).get('confirm') ?? ''
}

/** The key of a caller and the account that it acts for. */
export type Requester = Pick<TestAccount, 'key'> & { accountId?: string }

const accountQuery = ({ accountId }: Requester): Record<string, string> =>
  accountId === undefined ? {} : { account_id: accountId }

const buildQuery = (requester: Requester, more: Record<string, string> = {}): string =>
  `?${new URLSearchParams({ ...accountQuery(requester), ...more }).toString()}`

/** Requests to the connector routes of a world. */
export const createConnectorApi = (world: () => World) => {
  const send = (method: string, path: string, requester: Requester, body?: object, sent: Sent = {}) =>
    world().request<Body>(method, `/api/connectors${path}`, {
      key: requester.key,
      ...(body && { body: { ...body, ...accountQuery(requester) } }),
      ...sent,
    })
  const list = (requester: Requester) => send('GET', buildQuery(requester), requester)
  const actions = (requester: Requester, more: Record<string, string> = {}) =>
    send('GET', `/actions${buildQuery(requester, more)}`, requester)
  const authorize = (requester: Requester, connector: string, more: object = {}) =>
    send('POST', '', requester, { connector, ...more })
  const execute = (requester: Requester, actionSlug: string, parameters: object = {}, key?: string) =>
    send(
      'POST',
      '/actions',
      requester,
      { actionSlug, parameters },
      key === undefined
        ? {}
        : { headers: { 'idempotency-key': key }, body: { actionSlug, parameters, ...accountQuery(requester) } },
    )
  const disconnect = (requester: Requester, id: string) => send('DELETE', '', requester, { connected_account_id: id })
  const stage = (requester: Requester, url: string, actionSlug: string) =>
    send('POST', '/files', requester, { url, actionSlug })

  /** Requests a URL without following redirects. Replaces the public address of the service with its local address. */
  const open = (url: string, init: RequestInit = {}): Promise<Response> => {
    const { baseUrl, config } = world()
    const localUrl = url.startsWith(config.baseUrl) ? baseUrl + url.slice(config.baseUrl.length) : url
    return fetch(localUrl, { redirect: 'manual', ...init })
  }
  /** Submits the consent page of the embedded broker. Returns the response of the callback. */
  const consent = async (redirectUrl: string, choice: 'allow' | 'refuse' = 'allow'): Promise<Response> => {
    const response = await open(redirectUrl, { method: 'POST', body: new URLSearchParams({ choice }) })
    expect(response.status).toBe(303)
    return open(response.headers.get('location') ?? '')
  }
  const show = (requester: Pick<Requester, 'key'>, code: string) =>
    send('POST', '/confirmations', { key: requester.key }, { code })
  const decide = (requester: Pick<Requester, 'key'>, code: string, connect = true) =>
    send('PUT', '/confirmations', { key: requester.key }, { code, connect })
  /** Confirms the connection of a callback response, as the page does for the account that started it. */
  const confirm = async (requester: Pick<Requester, 'key'>, back: Response): Promise<void> => {
    const { status, body } = await decide(requester, readCode(back))
    expect([status, body.connected]).toEqual([200, true])
  }
  const findConnectionId = async (requester: Requester, slug: string): Promise<string | null> => {
    const { body } = await list(requester)
    return body.connectors.find((connector) => connector.slug === slug)?.connectedAccountId ?? null
  }
  /** Connects a toolkit of the embedded broker. Returns the id of the connection. */
  const connect = async (requester: Requester, slug: string): Promise<string> => {
    const { status, body } = await authorize(requester, slug)
    expect([status, body.message]).toEqual([200, undefined])
    await confirm(requester, await consent(body.data.redirectUrl))
    const id = await findConnectionId(requester, slug)
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
    findConnectionId,
    connect,
  }
}
