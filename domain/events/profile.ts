import { parseUrl } from '../fields/url.ts'

/** The required form of an artist's live-events profile, for error messages. */
export function eventsProfileForm(host: string): string {
  return `https://${host}/a/<number>-<name>`
}

/** Returns the digits of a profile `/a/<digits>-<slug>`, given as a stored or complete URL; otherwise undefined. */
export function eventsProfileId(profileUrl: string): string | undefined {
  const url = profileUrl.includes('://') ? profileUrl : `https://${profileUrl}`
  return /^\/a\/(\d{1,20})-[^/]+$/.exec(parseUrl(url)?.pathname ?? '')?.[1]
}

/** Returns the first live-events profile of a list that is sorted from the oldest link. */
export function findEventsProfile(profileUrls: readonly string[]): string | undefined {
  return profileUrls.map(eventsProfileId).find((id) => id !== undefined)
}
