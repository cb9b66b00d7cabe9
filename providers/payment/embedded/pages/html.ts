import { createHash } from 'node:crypto'

/** Text that is HTML already. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

type Shown = Html | string | number | boolean | null | undefined | readonly Shown[]

/** Escapes every value but what was made with it. */
export function html(parts: TemplateStringsArray, ...values: Shown[]): Html {
  return new Html(parts.reduce((text, part, at) => text + render(values[at - 1]) + part))
}

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 34rem; padding: 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem }
form { margin: 0.5rem 0 } label { display: block; margin: 0.5rem 0 }
input:not([type=radio]) { display: block; box-sizing: border-box; width: 100%; font: inherit; padding: 0.4rem }
button { font: inherit; padding: 0.4rem 1rem; margin: 0.2rem 0.4rem 0.2rem 0 }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: 0.2rem 0.6rem 0.2rem 0; vertical-align: top }
code { overflow-wrap: anywhere }
.notice, .error { border-left: 4px solid #b58900; padding: 0.2rem 0.8rem }
.error { border-color: #dc322f }
`

// In one piece: the hash is of every character between the tags.
const styleElement = new Html(`<style>${style}</style>`)
const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`

/** Nothing from elsewhere and no script; forms go to ourselves and, by way of a redirect, to `targets`. */
export function pageHeaders(targets: readonly string[]): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      `style-src ${styleHash}`,
      ["form-action 'self'", ...targets].join(' '),
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join(';'),
    // Not `no-referrer`: with it a browser says of our own forms that they come from nowhere.
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
  }
}

export function layout(title: string, content: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${styleElement}
      </head>
      <body>
        <p class="notice">
          Test mode: this page belongs to the embedded payment provider. No real card is taken and no money moves.
        </p>
        <h1>${title}</h1>
        ${content}
      </body>
    </html> `.text
}

function render(value: Shown): string {
  if (value instanceof Html) return value.text
  if (isList(value)) return value.map(render).join('')
  if (value === undefined || value === null || value === false) return ''
  return String(value).replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '')
}

function isList(value: Shown): value is readonly Shown[] {
  return Array.isArray(value)
}
