/** What an artist's live-events profile has to look like, for whoever has none that does. */
export const eventsProfileForm = (host: string): string => `https://${host}/a/<number>-<name>`

/** Digits of a profile `/a/<digits>-<slug>`, given as stored or whole; undefined for any other address. */
export const eventsProfileId = (profileUrl: string): string | undefined => {
  const url = profileUrl.includes('://') ? profileUrl : `https://${profileUrl}`
  return URL.canParse(url) ? /^\/a\/(\d{1,20})-[^/]+$/.exec(new URL(url).pathname)?.[1] : undefined
}

/** The first profile that has such an address, where they come oldest link first. */
export const findEventsProfile = (profileUrls: readonly string[]): string | undefined =>
  profileUrls.map(eventsProfileId).find((id) => id !== undefined)
