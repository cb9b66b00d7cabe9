import { parseUrl } from '../fields/url.ts'

/** Returns the required form of an artist's live-events profile, for error messages. */
export function eventsProfileForm(host: string): string {
  return `https://${host}/a/<number>-<name>`
}

/** Returns the digits of a profile `/a/<digits>-<slug>`; undefined for any other URL. The scheme is optional. */
export function eventsProfileId(profileUrl: string): string | undefined {
  const url = profileUrl.includes('://') ? profileUrl : `https://${profileUrl}`
  return /^\/a\/(\d{1,20})-[^/]+$/.exec(parseUrl(url)?.pathname ?? '')?.[1]
}

/** Returns the id of the first live-events profile in a list that starts with the oldest link. */
export function findEventsProfile(profileUrls: readonly string[]): string | undefined {
  return profileUrls.map(eventsProfileId).find((id) => id !== undefined)
}
