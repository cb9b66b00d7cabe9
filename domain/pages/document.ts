import { html, type Html } from './html.ts'

export type PageDocument = {
  title: string
  /** Content of `head` besides character set, viewport and title, for example the style. */
  head: Html
  body: Html
}

/** Renders a complete HTML document. Every page of Backline is sent in this form. */
export function renderDocument({ title, head, body }: PageDocument): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${head}
      </head>
      <body>
        ${body}
      </body>
    </html> `.text
}
