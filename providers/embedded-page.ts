import { createHash } from 'node:crypto'
import { renderDocument } from '../domain/pages/document.ts'
import { Html, html } from '../domain/pages/html.ts'
import { style } from '../domain/pages/style.ts'

// In one piece: the hash is of every character between the tags.
const styleElement = new Html(`<style>${style}</style>`)
const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`

export type EmbeddedPage = {
  title: string
  notice?: string
  content: Html
  /** After which the page loads itself again. */
  refreshSeconds?: number
}

/** A page beside the site: of an embedded provider, or a shared chat. It is whole on its own: nothing is loaded beside it. */
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
 * Nothing from elsewhere and no script; forms go to ourselves and, by way of a redirect, to `formTargets`, or nowhere
 * without `forms`. `frames` lets the page contain frames of Backline, `media` are the origins of sound and video besides our own.
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
    // Not `no-referrer`: with it a browser says of our own forms that they come from nowhere.
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
  }
}
