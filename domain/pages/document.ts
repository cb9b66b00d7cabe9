import { html, type Html } from './html.ts'

export type PageDocument = {
  title: string
  /** Content of `head` besides character set, viewport and title, for example the style. */
  head: Html
  body: Html
}

/** A whole HTML document, as every page of Backline is sent. */
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
