import type { ScraperRequest } from '../../../domain/scrapers/requests.ts'

/** Posts that a run is asked for where the platform shows what it likes. */
const usualDepth = 20

/** The input of a platform's actor, in the members that the published ones take. */
export function profileInput({ platform, handle, url, depth }: ScraperRequest & { kind: 'profile' }): object {
  const posts = depth ?? usualDepth
  switch (platform) {
    case 'TIKTOK':
      return { profiles: [handle], resultsPerPage: posts, profileSorting: 'latest' }
    case 'PHOTO':
      return { usernames: [handle] }
    case 'X':
      return { twitterHandles: [handle], maxItems: posts * 3, sort: 'Latest' }
    case 'THREADS':
      return { usernames: [handle] }
    case 'VIDEO':
      return {
        startUrls: [{ url }],
        maxResults: posts,
        maxResultsShorts: posts,
        maxResultStreams: posts,
        sortVideosBy: 'NEWEST',
      }
    case 'FACEBOOK':
      return { startUrls: [{ url }], resultsLimit: posts }
    case 'LINKEDIN':
      return { urls: [url], profileUrls: [url], maxPosts: posts }
  }
}
