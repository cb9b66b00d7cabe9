import { createClient } from '../../../client/index.ts'
import type { Credential } from './credential.ts'
import { read } from './failure.ts'
import { identify } from './identify.ts'
import { apiOrigin } from './settings.ts'
import { joinTabs } from '../parts/tabs.ts'

/** What the API says of the issuer that signs people in. */
export type SignInSettings = NonNullable<ConsoleSettings['signIn']>
type ConsoleSettings = Awaited<ReturnType<typeof readConsoleSettings>>

/** What has to outlive the way to the issuer: of use only with a code that works once. */
type Departure = { state: string; nonce: string; verifier: string; returnTo: string }

type Endpoints = { authorization_endpoint: string; token_endpoint: string }
type TokenAnswer = { id_token?: string; access_token?: string; error?: string; error_description?: string }

const departureName = 'backline-departure'
const returnPath = '/console/signed-in'
const channelName = 'backline-sign-in'
const handOverMs = 2000

/** What tabs of one browser tell each other: an answer of the issuer, or without one that it was taken. */
type Handed = { state: string; query?: string }

/** Public settings of this deployment. */
export function readConsoleSettings() {
  return read(createClient({ baseUrl: apiOrigin, apiKey: '' }).GET('/api/console/settings'))
}

/** Leaves for the page of the issuer. */
export async function beginSignIn(settings: SignInSettings): Promise<void> {
  const { url, departure } = await depart(settings)
  sessionStorage.setItem(departureName, JSON.stringify(departure))
  location.assign(url)
}

export type SignInBeside = { url: string; credential: Promise<Credential>; giveUp: () => void }

/** For a page that stays: the address to open in another tab, and who comes back there. */
export async function signInBeside(settings: SignInSettings): Promise<SignInBeside> {
  const { url, departure } = await depart(settings)
  const { promise: credential, resolve, reject } = deferred<Credential>()
  const tabs = joinTabs<Handed>(channelName, ({ state, query }) => {
    if (state !== departure.state || query === undefined) return
    tabs.post({ state })
    exchangeCode(new URLSearchParams(query), departure).then(resolve, reject)
  })
  return { url: url.href, credential, giveUp: tabs.close }
}

/** In a sign-in tab: passes the issuer's response to the tab that opened it. False if no tab waits for it. */
export async function handOver(): Promise<boolean> {
  const query = location.search
  const state = new URLSearchParams(query).get('state')
  if (state === null || sessionStorage.getItem(departureName) !== null) return false
  history.replaceState(null, '', '/console/')
  const { promise: isTaken, resolve } = deferred<boolean>()
  const tabs = joinTabs<Handed>(channelName, (answer) => {
    if (answer.state === state && answer.query === undefined) resolve(true)
  })
  tabs.post({ state, query })
  setTimeout(() => resolve(false), handOverMs)
  return isTaken.finally(tabs.close)
}

function deferred<T>() {
  let resolve: (value: T) => void = ignore
  let reject: (reason: unknown) => void = ignore
  const promise = new Promise<T>((onValue, onFault) => ([resolve, reject] = [onValue, onFault]))
  return { promise, resolve, reject }
}

async function depart(settings: SignInSettings): Promise<{ url: URL; departure: Departure }> {
  const { authorization_endpoint: endpoint } = await readEndpoints(settings)
  const departure: Departure = { state: random(), nonce: random(), verifier: random(), returnTo: location.href }
  const url = new URL(endpoint)
  const asked = {
    response_type: 'code',
    client_id: settings.clientId,
    redirect_uri: settings.redirectUri,
    scope: settings.scope,
    state: departure.state,
    nonce: departure.nonce,
    code_challenge: await createChallenge(departure.verifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
  return { url, departure }
}

/** Whether the issuer has just sent a person back here. */
export function isReturn(): boolean {
  return location.pathname === returnPath && new URLSearchParams(location.search).has('state')
}

/** Takes the code to the issuer, and goes back to the page that was left. */
export async function finishSignIn(): Promise<Credential> {
  const answer = new URLSearchParams(location.search)
  const departure = takeDeparture()
  history.replaceState(null, '', departure?.returnTo ?? '/console/')
  if (departure === undefined || answer.get('state') !== departure.state)
    throw new Error('This sign-in was not begun in this tab. Begin again.')
  return exchangeCode(answer, departure)
}

async function exchangeCode(answer: URLSearchParams, departure: Departure): Promise<Credential> {
  const code = answer.get('code')
  if (code === null) throw new Error(answer.get('error_description') ?? 'The sign-in was given up.')
  const { signIn: settings } = await readConsoleSettings()
  if (settings === null) throw new Error('The API has no sign-in any more. Use a key.')
  return identify({ bearer: await exchange(settings, code, departure) })
}

async function exchange(settings: SignInSettings, code: string, departure: Departure): Promise<string> {
  const { token_endpoint: endpoint } = await readEndpoints(settings)
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: settings.redirectUri,
    client_id: settings.clientId,
    code_verifier: departure.verifier,
  })
  const response = await fetch(endpoint, { method: 'POST', body })
  const tokens = (await response.json()) as TokenAnswer
  const token = tokens[settings.bearer]
  if (!response.ok || token === undefined)
    throw new Error(tokens.error_description ?? 'The issuer did not take the code. Begin again.')
  if (tokens.id_token !== undefined && readNonce(tokens.id_token) !== departure.nonce)
    throw new Error('The issuer answered another sign-in than this one. Begin again.')
  return token
}

async function readEndpoints({ discoveryUrl }: SignInSettings): Promise<Endpoints> {
  const response = await fetch(discoveryUrl)
  if (!response.ok) throw new Error('The issuer cannot be reached.')
  return (await response.json()) as Endpoints
}

/** The API verifies the token itself; here it is only asked whether it answers what was begun here. */
function readNonce(token: string): unknown {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
  return (JSON.parse(atob(payload)) as { nonce?: unknown }).nonce
}

function takeDeparture(): Departure | undefined {
  const text = sessionStorage.getItem(departureName)
  sessionStorage.removeItem(departureName)
  return text === null ? undefined : (JSON.parse(text) as Departure)
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
