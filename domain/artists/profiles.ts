import { storedUrl } from '../fields/stored-url.ts'
import { isContentPath, profileTokens, readProfilePath, type ProfileToken } from './profile-paths.ts'

/** The platforms whose hosts are configurable. */
export type ProfileHosts = { streaming: string; liveEvents: string }

export type Profile = {
  token: ProfileToken
  /** Normalized: equal for all spellings of one profile. */
  url: string
  /** Null if the URL contains no username, and on platforms that are not scraped. */
  username: string | null
}

const platforms: readonly (readonly [host: string, token: ProfileToken])[] = [
  ['tiktok.com', 'TIKTOK'],
  ['instagram.com', 'PHOTO'],
  ['x.com', 'X'],
  ['threads.com', 'THREADS'],
  ['threads.net', 'THREADS'],
  ['youtube.com', 'VIDEO'],
  ['facebook.com', 'FACEBOOK'],
  ['linkedin.com', 'LINKEDIN'],
]

export function isProfileToken(text: string): text is ProfileToken {
  return (profileTokens as readonly string[]).includes(text)
}

/**
 * Parses the URL of a profile. Returns undefined unless it is an HTTP or HTTPS URL without user and password. On a known
 * platform, its path must also be the path of a profile and not of a post or other content.
 */
export function parseProfile(text: string, hosts: ProfileHosts): Profile | undefined {
  const parsed = storedUrl.safeParse(text.trim())
  const address = parsed.success ? new URL(parsed.data) : undefined
  if (address === undefined || address.username !== '' || address.password !== '') return undefined
  const host = normalizeHost(address)
  const token = classifyHost(host, hosts)
  const canonical = toCanonicalPath(token, address)
  if (canonical === '' && token !== 'OTHER') return undefined
  if (isContentPath(token, canonical, address.search)) return undefined
  const { path, name } = readProfilePath(token, canonical)
  return {
    token,
    url: `${host}${address.port === '' ? '' : `:${address.port}`}${path}`,
    username: name !== null && /^[A-Za-z0-9._-]{1,100}$/.test(name) ? name : null,
  }
}

/** Returns the normalized streaming profile of an artist id. */
export function streamingProfile(streamingArtistId: string, { streaming }: ProfileHosts): Profile {
  return {
    token: 'STREAMING',
    url: `${streaming}/artist/${streamingArtistId}`,
    username: null,
  }
}

function normalizeHost({ hostname }: URL): string {
  return removeWww(hostname.replace(/\.$/, '')).replace(/(^|\.)twitter\.com$/, '$1x.com')
}

function removeWww(host: string): string {
  return host.replace(/^www\.(?=.+\.)/, '')
}

function classifyHost(host: string, { streaming, liveEvents }: ProfileHosts): ProfileToken {
  if (belongsTo(host, streaming)) return 'STREAMING'
  if (belongsTo(host, liveEvents)) return 'LIVE_EVENTS'
  return platforms.find(([platform]) => belongsTo(host, platform))?.[1] ?? 'OTHER'
}

/** A host belongs to a platform if it is the platform's host or a subdomain of it. */
function belongsTo(host: string, platform: string): boolean {
  return host === platform || host.endsWith(`.${platform}`)
}

/** Returns the same path for alternative URLs of a profile. */
function toCanonicalPath(token: ProfileToken, { pathname, searchParams }: URL): string {
  const path = pathname.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '')
  if (token === 'STREAMING') return path.replace(/^\/intl-[a-z-]+(?=\/)/i, '')
  const id = token === 'FACEBOOK' && /^\/profile\.php$/i.test(path) ? searchParams.get('id') : null
  return id !== null && /^\d+$/.test(id) ? `/${id}` : path
}
