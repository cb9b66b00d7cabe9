import { html } from '../../../domain/pages/html.ts'
import type { FaultCode } from '../../../domain/site/faults.ts'
import { searchBox, sitePage } from './layout.ts'
import type { Site } from './site.ts'

export function notFoundPage(site: Site): string {
  return sitePage(site, {
    title: 'Page not found',
    content: html`<h1>Page not found</h1>
      <p>Nothing is at this address. Search for what you were looking for:</p>
      ${searchBox()}`,
  })
}

/** Page for a request above the limit or under overload. */
export function refusedPage(site: Site, code: FaultCode, waitSeconds: string): string {
  const title = code === 'RATE_LIMITED' ? 'Too many requests' : 'Busy for a moment'
  const wait = waitSeconds === '1' ? 'one second' : `${waitSeconds} seconds`
  return sitePage(site, {
    title,
    content: html`<h1>${title}</h1>
      <p>Wait ${wait}, then load this page again.</p>`,
  })
}

/** `requestId` identifies the error in the log. */
export function brokenPage(site: Site, requestId: string): string {
  return sitePage(site, {
    title: 'Something went wrong',
    content: html`<h1>Something went wrong</h1>
      <p>
        This page could not be made, and the fault is ours. Load it again, or tell
        <a href="mailto:${site.contact}">${site.contact}</a> of request <code>${requestId}</code>.
      </p>`,
  })
}
