import { createHash } from 'node:crypto'
import { renderDocument } from '../domain/pages/document.ts'
import { Html, html } from '../domain/pages/html.ts'
import { style } from '../domain/pages/style.ts'

// A single string, because the hash in the policy covers every character between the tags.
const styleElement = new Html(`<style>${style}</style>`)
const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`

export type EmbeddedPage = {
  title: string
  notice?: string
  content: Html
  /** Interval after which the page reloads. */
  refreshSeconds?: number
}

/** Renders a page that is not part of the site, such as a page of an embedded provider. It loads no resources. */
export function embeddedPage({ title, notice, content, refreshSeconds }: EmbeddedPage): string {
  return renderDocument({
    title,
    head: html`<meta name="robots" content="noindex" />
      ${refreshSeconds !== undefined && html`<meta http-equiv="refresh" content="${refreshSeconds}" />`} ${styleElement}`,
    body: html`<main class="frame">
      ${notice !== undefined && html`<p class="notice">${notice}</p>`}
      <h1>${title}</h1>
      ${content}
    </main>`,
  })
}

/**
 * Returns the headers of the page, which forbid external resources and scripts. Forms can be sent to this origin and redirect
 * to `formTargets`; without `forms`, no form can be sent. `frames` allows frames of this origin; `media` lists additional
 * origins of audio and video.
 */
export function embeddedPageHeaders({
  forms = true,
  formTargets = [],
  frames = false,
  media = [],
}: {
  forms?: boolean
  formTargets?: readonly string[]
  frames?: boolean
  media?: readonly string[]
} = {}): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      `style-src ${styleHash}`,
      ...(frames ? ["frame-src 'self'"] : []),
      ...(media.length > 0 ? [["media-src 'self'", ...media].join(' ')] : []),
      forms ? ["form-action 'self'", ...formTargets].join(' ') : "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join(';'),
    // Not `no-referrer`, with which browsers send `Origin: null` for forms of this origin.
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
  }
}
