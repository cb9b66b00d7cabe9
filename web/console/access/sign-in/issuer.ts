import type { Credential } from '../credential.ts'
import { identify } from '../identify.ts'
import { keepSignedIn } from './stay.ts'
import { readConsoleSettings } from '../deployment.ts'
import { joinTabChannel } from '../../parts/tabs.ts'

/** Settings of the OpenID issuer that signs users in. */
export type SignInSettings = NonNullable<ConsoleSettings['signIn']>
type ConsoleSettings = Awaited<ReturnType<typeof readConsoleSettings>>

/** State of a sign-in in progress, stored while the browser is at the issuer. It has no use without the issuer's code. */
type PendingSignIn = { state: string; nonce: string; verifier: string; returnTo: string }

type Endpoints = { authorization_endpoint: string; token_endpoint: string }
type TokenResponse = { id_token?: string; access_token?: string; error?: string; error_description?: string }

const pendingName = 'backline-pending-sign-in'
const channelName = 'backline-sign-in'
const confirmationTimeoutMs = 2000

/** Message between tabs. `query`: response of the issuer. A message without `query` confirms that a tab received it. */
type TabMessage = { state: string; query?: string }

/** Opens the issuer's sign-in page in this tab. */
export async function beginSignIn(settings: SignInSettings): Promise<void> {
  const { url, pending } = await startSignIn(settings)
  sessionStorage.setItem(pendingName, JSON.stringify(pending))
  location.assign(url)
}

export type TabSignIn = { url: string; credential: Promise<Credential>; cancel: () => void }

/** Prepares a sign-in in another tab, so that this page stays open. `credential` resolves after the sign-in at `url`. */
export async function beginSignInTab(settings: SignInSettings): Promise<TabSignIn> {
  const { url, pending } = await startSignIn(settings)
  const { promise: credential, resolve, reject } = deferred<Credential>()
  const tabs = joinTabChannel<TabMessage>(channelName, ({ state, query }) => {
    if (state !== pending.state || query === undefined) return
    tabs.post({ state })
    exchangeCode(new URLSearchParams(query), pending).then(resolve, reject)
  })
  return { url: url.href, credential, cancel: tabs.close }
}

/** Forwards the issuer's response to the tab that started the sign-in. Returns false if no tab accepts it. */
export async function forwardResponse(): Promise<boolean> {
  const query = location.search
  const state = new URLSearchParams(query).get('state')
  if (state === null || sessionStorage.getItem(pendingName) !== null) return false
  history.replaceState(null, '', '/console/')
  const { promise: isAccepted, resolve } = deferred<boolean>()
  const tabs = joinTabChannel<TabMessage>(channelName, (message) => {
    if (message.state === state && message.query === undefined) resolve(true)
  })
  tabs.post({ state, query })
  setTimeout(() => resolve(false), confirmationTimeoutMs)
  return isAccepted.finally(tabs.close)
}

function deferred<T>() {
  let resolve: (value: T) => void = ignore
  let reject: (reason: unknown) => void = ignore
  const promise = new Promise<T>((onValue, onError) => ([resolve, reject] = [onValue, onError]))
  return { promise, resolve, reject }
}

async function startSignIn(settings: SignInSettings): Promise<{ url: URL; pending: PendingSignIn }> {
  const { authorization_endpoint: endpoint } = await readEndpoints(settings)
  const pending: PendingSignIn = { state: random(), nonce: random(), verifier: random(), returnTo: location.href }
  const url = new URL(endpoint)
  const query = {
    response_type: 'code',
    client_id: settings.clientId,
    redirect_uri: settings.redirectUri,
    scope: settings.scope,
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await createChallenge(pending.verifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return { url, pending }
}

/** Exchanges the issuer's code for a credential, and restores the URL at which the sign-in started. */
export async function finishSignIn(): Promise<Credential> {
  const response = new URLSearchParams(location.search)
  const pending = consumePendingSignIn()
  history.replaceState(null, '', pending?.returnTo ?? '/console/')
  if (pending === undefined || response.get('state') !== pending.state)
    throw new Error('This sign-in was not started in this tab. Sign in again.')
  return exchangeCode(response, pending)
}

async function exchangeCode(response: URLSearchParams, pending: PendingSignIn): Promise<Credential> {
  const code = response.get('code')
  if (code === null) throw new Error(response.get('error_description') ?? 'The sign-in was cancelled.')
  const { signIn: settings } = await readConsoleSettings()
  if (settings === null) throw new Error('This deployment no longer supports single sign-on. Sign in with an API key.')
  const bearer = await fetchToken(settings, code, pending)
  return (await keepSignedIn(bearer)) ?? identify({ bearer })
}

async function fetchToken(settings: SignInSettings, code: string, pending: PendingSignIn): Promise<string> {
  const { token_endpoint: endpoint } = await readEndpoints(settings)
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: settings.redirectUri,
    client_id: settings.clientId,
    code_verifier: pending.verifier,
  })
  const response = await fetch(endpoint, { method: 'POST', body })
  const tokens = (await response.json()) as TokenResponse
  const token = tokens[settings.bearer]
  if (!response.ok || token === undefined)
    throw new Error(tokens.error_description ?? 'The issuer rejected the sign-in code. Sign in again.')
  if (tokens.id_token !== undefined && readNonce(tokens.id_token) !== pending.nonce)
    throw new Error("The issuer's response belongs to another sign-in. Sign in again.")
  return token
}

async function readEndpoints({ discoveryUrl }: SignInSettings): Promise<Endpoints> {
  const response = await fetch(discoveryUrl)
  if (!response.ok) throw new Error('The issuer could not be reached.')
  return (await response.json()) as Endpoints
}

/** Reads the nonce. Does not verify the token, because the API verifies it. */
function readNonce(token: string): unknown {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
  return (JSON.parse(atob(payload)) as { nonce?: unknown }).nonce
}

function consumePendingSignIn(): PendingSignIn | undefined {
  const text = sessionStorage.getItem(pendingName)
  sessionStorage.removeItem(pendingName)
  return text === null ? undefined : (JSON.parse(text) as PendingSignIn)
}

function random(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)))
}

async function createChallenge(verifier: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

function ignore(): void {}
