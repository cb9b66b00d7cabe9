import { parseUrl } from '../fields/url.ts'

/** The required form of an artist's live-events profile, for error messages. */
export function eventsProfileForm(host: string): string {
  return `https://${host}/a/<number>-<name>`
}

/** Digits of a profile `/a/<digits>-<slug>`, given as stored or whole; undefined for any other address. */
export function eventsProfileId(profileUrl: string): string | undefined {
  const url = profileUrl.includes('://') ? profileUrl : `https://${profileUrl}`
  return /^\/a\/(\d{1,20})-[^/]+$/.exec(parseUrl(url)?.pathname ?? '')?.[1]
}

/** The first profile that has such an address, where they come oldest link first. */
export function findEventsProfile(profileUrls: readonly string[]): string | undefined {
  return profileUrls.map(eventsProfileId).find((id) => id !== undefined)
}
