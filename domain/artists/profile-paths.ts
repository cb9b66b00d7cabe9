export const profileTokens = [
  'TIKTOK',
  'PHOTO',
  'X',
  'THREADS',
  'VIDEO',
  'FACEBOOK',
  'LINKEDIN',
  'STREAMING',
  'LIVE_EVENTS',
  'OTHER',
] as const

/** The platform of a profile. */
export type ProfileToken = (typeof profileTokens)[number]

/** Path patterns of a platform's profiles. The group `name` matches the username. */
type PathRules = {
  /** Paths of posts, videos and other content that identify no profile. */
  content: readonly RegExp[]
  /** Paths that start with a case-insensitive handle. */
  handle?: RegExp
  /** Paths that start with a case-sensitive identifier. */
  identifier?: RegExp
}

const rules: Record<ProfileToken, PathRules> = {
  TIKTOK: { content: [/^\/[^/]+\/(video|photo)\//i], handle: /^\/@?(?<name>[^/]+)/ },
  PHOTO: {
    content: [/^\/(p|reel|reels|tv|stories|share)\//i, /^\/[^/]+\/(p|reel)\//i],
    handle: /^\/@?(?<name>[^/]+)/,
  },
  X: { content: [/^\/[^/]+\/status(es)?\//i, /^\/i\//i], handle: /^\/@?(?<name>[^/]+)/ },
  THREADS: { content: [/^\/[^/]+\/post\//i, /^\/t\//i], handle: /^\/@?(?<name>[^/]+)/ },
  VIDEO: {
    content: [/^\/watch\?/i, /^\/(shorts|live|embed|clip)\//i],
    handle: /^\/(?:@|(?:c|user)\/)(?<name>[^/]+)/i,
    identifier: /^\/channel\/(?<name>[^/]+)/i,
  },
  FACEBOOK: {
    content: [
      /^\/(reel|watch|stories|videos|events|photo)(\/|\?|$)/i,
      /^\/(story|permalink|photo|video)\.php/i,
      /^\/share\/[prv]\//i,
      /^\/[^/]+\/(posts|videos|photos|reels?)\/[^/]/i,
    ],
    handle: /^\/(?!(?:share|people|pages|groups|p)\/)@?(?<name>[^/]+)/i,
    identifier: /^\/(?:share|groups|p|(?:people|pages)\/[^/]+)\/(?<name>[^/]+)/i,
  },
  LINKEDIN: {
    content: [/^\/(posts|pulse|feed\/update)\//i],
    handle: /^\/(?:in|company|school)\/(?<name>[^/]+)/i,
  },
  STREAMING: { content: [] },
  LIVE_EVENTS: { content: [], handle: /^\/a\/\d+-[^/]+/i },
  OTHER: { content: [] },
}

/** True for the URL of a post or other content that identifies no profile. `search` is the query of the URL. */
export function isContentPath(token: ProfileToken, path: string, search: string): boolean {
  const address = `${path}${search}`
  return rules[token].content.some((content) => content.test(address))
}

/** Returns the normalized path and its username. Only handles are converted to lower case. */
export function readProfilePath(token: ProfileToken, path: string): { path: string; name: string | null } {
  const { handle, identifier } = rules[token]
  const match = identifier?.exec(path)
  const name = match?.groups?.['name']
  if (match && name !== undefined) {
    const root = match[0].slice(0, -name.length)
    return { path: `${withLowerCaseRoot(root)}${path.slice(root.length)}`, name }
  }
  const [prefix = ''] = handle?.exec(path) ?? []
  const lower = prefix.toLowerCase()
  return { path: `${lower}${path.slice(prefix.length)}`, name: handle?.exec(lower)?.groups?.['name'] ?? null }
}

/** Converts the first segment to lower case. The name in a root such as `/people/Nova/` keeps its case. */
function withLowerCaseRoot(root: string): string {
  return root.replace(/^\/[^/]+/, (word) => word.toLowerCase())
}
