import { createHash } from 'node:crypto'
import { renderDocument } from '../domain/pages/document.ts'
import { Html, html } from '../domain/pages/html.ts'
import { style } from '../domain/pages/style.ts'

// In one piece: the hash is of every character between the tags.
const styleElement = new Html(`<style>${style}</style>`)
const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`

export type EmbeddedPage = { title: string; notice?: string; content: Html }

/** A page beside the site: of an embedded provider, or a shared chat. It is whole by itself: nothing is loaded beside it. */
export function embeddedPage({ title, notice, content }: EmbeddedPage): string {
  return renderDocument({
    title,
    head: html`<meta name="robots" content="noindex" /> ${styleElement}`,
    body: html`<main class="frame">
      ${notice !== undefined && html`<p class="notice">${notice}</p>`}
      <h1>${title}</h1>
      ${content}
    </main>`,
  })
}

/**
 * Nothing from elsewhere and no script; forms go to ourselves and, by way of a redirect, to `formTargets`, or nowhere
 * without `forms`. `frames` lets the page hold pages of ours.
 */
export function embeddedPageHeaders({
  forms = true,
  formTargets = [],
  frames = false,
}: { forms?: boolean; formTargets?: readonly string[]; frames?: boolean } = {}): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      `style-src ${styleHash}`,
      ...(frames ? ["frame-src 'self'"] : []),
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
