import { renderDocument } from '../../domain/pages/document.ts'
import { html, type Html } from '../../domain/pages/html.ts'
import { mark, markUrl } from '../../domain/pages/mark.ts'

type ReferencePage = {
  serviceName: string
  /** Origin of the site; undefined if this process serves none. */
  siteUrl: string | undefined
}

/** Renders the page of the reference, in which Swagger UI shows the operations of `openapi.json`. */
export function referencePage({ serviceName, siteUrl }: ReferencePage): string {
  return renderDocument({
    title: `API reference · ${serviceName}`,
    head: html`<meta name="color-scheme" content="light dark" />
      <link rel="icon" type="image/svg+xml" href="${markUrl}" />
      <link rel="stylesheet" href="reference/swagger-ui.css" />
      <link rel="stylesheet" href="reference/page.css" />`,
    body: html`<a class="skip" href="#operations">Skip to content</a>
      <header class="bar">
        ${
          siteUrl === undefined
            ? html`<span class="brand">${mark}${serviceName}</span>`
            : html`<a class="brand" href="${siteUrl}/">${mark}${serviceName}</a>`
        }
        <nav aria-label="Documentation">
          ${siteUrl !== undefined && siteLinks(siteUrl)}
          <a href="openapi.json">OpenAPI document</a>
        </nav>
      </header>
      <div id="root"></div>
      <script src="reference/swagger-ui-bundle.js"></script>
      <script src="reference/start.js"></script>`,
  })
}

function siteLinks(siteUrl: string): Html {
  return html`<a href="${siteUrl}/docs">Guides</a>
    <a href="${siteUrl}/docs/api-reference">A page for each operation</a>`
}
