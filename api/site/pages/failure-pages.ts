import { html } from '../../../domain/pages/html.ts'
import type { SiteErrorCode } from '../../../domain/site/errors.ts'
import { sitePage } from './layout.ts'
import type { Site } from './site.ts'
import { searchBox } from './search-page.ts'

export function notFoundPage(site: Site): string {
  return sitePage(site, {
    title: 'Page not found',
    content: html`<h1>Page not found</h1>
      <p>There is no page at this URL. Try a search:</p>
      ${searchBox()}`,
  })
}

/** Renders the page for a request that is rejected because of the rate limit or overload. */
export function retryLaterPage(site: Site, code: SiteErrorCode, waitSeconds: string): string {
  const title = code === 'RATE_LIMITED' ? 'Too many requests' : 'Temporarily overloaded'
  const wait = waitSeconds === '1' ? 'one second' : `${waitSeconds} seconds`
  return sitePage(site, {
    title,
    content: html`<h1>${title}</h1>
      <p>Wait ${wait}, then reload this page.</p>`,
  })
}

/** Renders the page for an unexpected error. `requestId` identifies the error in the log. */
export function errorPage(site: Site, requestId: string): string {
  return sitePage(site, {
    title: 'Something went wrong',
    content: html`<h1>Something went wrong</h1>
      <p>
        An error on our side prevented this page from loading. Reload it, or email
        <a href="mailto:${site.contact}">${site.contact}</a> and include the request ID <code>${requestId}</code>.
      </p>`,
  })
}
