import type { ScraperRequest } from '../../../domain/scrapers/requests.ts'

/** Number of posts to request if the caller does not specify one. */
const defaultDepth = 20

/** Builds the input of a platform's actor, with the fields of the published actors. */
export function buildProfileInput({ platform, handle, url, depth }: ScraperRequest & { kind: 'profile' }): object {
  const posts = depth ?? defaultDepth
  const inputs: Record<typeof platform, object> = {
    TIKTOK: { profiles: [handle], resultsPerPage: posts, profileSorting: 'latest' },
    PHOTO: { usernames: [handle] },
    // A search can exclude replies and reposts. In the timeline of a handle, they would use up `maxItems`.
    X: { searchTerms: [`from:${handle} -filter:replies -filter:nativeretweets`], maxItems: posts, sort: 'Latest' },
    THREADS: { usernames: [handle] },
    VIDEO: {
      startUrls: [{ url }],
      maxResults: posts,
      maxResultsShorts: posts,
      maxResultStreams: posts,
      sortVideosBy: 'NEWEST',
    },
    FACEBOOK: { startUrls: [{ url }], resultsLimit: posts },
    LINKEDIN: { urls: [url], profileUrls: [url], maxPosts: posts },
  }
  return inputs[platform]
}
