import { renderDocument } from '../../../domain/pages/document.ts'
import { html } from '../../../domain/pages/html.ts'
import { markUrl } from '../../../domain/pages/mark.ts'

type Page = {
  manifest: { script: string; style: string; preloads: string[] }
  serviceName: string
  /** Empty if the console and the API have the same origin. */
  apiOrigin: string
}

/** The only page of the console. Its scripts render everything else. */
export function consolePage({ manifest, serviceName, apiOrigin }: Page): string {
  const { script, style, preloads } = manifest
  return renderDocument({
    title: `${serviceName} console`,
    head: html`<meta name="robots" content="noindex" />
      <meta name="color-scheme" content="light dark" />
      <meta name="backline-api" content="${apiOrigin}" />
      <meta name="backline-service" content="${serviceName}" />
      <link rel="icon" type="image/svg+xml" href="${markUrl}" />
      <link rel="stylesheet" href="/console/assets/${style}" />
      ${preloads.map((name) => html`<link rel="modulepreload" href="/console/assets/${name}" /> `)}
      <script type="module" src="/console/assets/${script}"></script>`,
    body: html`<div id="root"><noscript>The console requires JavaScript.</noscript></div>`,
  })
}
