import { escapeHtml } from '../pages/html.ts'

type FooterLink = { words: string; url: string }
export type Footer = { artistName?: string | undefined; link?: FooterLink | undefined }

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const signature = 'Sent by your Backline workspace'

/** Wraps sanitized HTML in the standard layout: one column of at most 560 px, inline styles only. */
export function htmlLayout(body: string, footer: Footer): string {
  const link =
    footer.link === undefined
      ? ''
      : `<br><a href="${escapeHtml(footer.link.url)}" style="color:#52525b">${escapeHtml(footer.link.words)}</a>`
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body style="margin:0;padding:24px 12px;background-color:#f4f4f5">
<div style="max-width:560px;margin:0 auto;padding:24px;background-color:#ffffff;color:#18181b;${font};font-size:15px;line-height:1.55;overflow-wrap:anywhere">
${body}
</div>
<div style="max-width:560px;margin:0 auto;padding:16px 24px;color:#71717a;${font};font-size:12px;line-height:1.5">
${escapeHtml(formatSignature(footer))}${link}
</div>
</body>
</html>
`
}

/** Wraps plain text in the standard layout. */
export function textLayout(body: string, footer: Footer): string {
  const link = footer.link === undefined ? '' : `\n${footer.link.words}: ${footer.link.url}`
  return `${body}\n\n-- \n${formatSignature(footer)}${link}\n`
}

function formatSignature({ artistName }: Footer): string {
  return artistName === undefined ? `${signature}.` : `${signature} for ${artistName}.`
}
