import { escapeHtml } from '../../domain/mail/layout.ts'

export type ListedMail = { id: string; recipients: string[]; subject: string; received_at: string }
export type ShownMail = ListedMail & {
  from: string
  to: string[]
  cc: string[]
  text: string
  html: string
  headers: { name: string; value: string }[]
}
type Filter = { to?: string | undefined; limit: number; offset: number }

const style = `body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:860px;padding:24px;color:#18181b}
a{color:#1d4ed8}table{border-collapse:collapse;width:100%}td,th{padding:6px 12px 6px 0;text-align:left;vertical-align:top;border-bottom:1px solid #e4e4e7;overflow-wrap:anywhere}
time,.quiet{color:#71717a}pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f4f4f5;padding:12px}
iframe{width:100%;height:420px;border:1px solid #e4e4e7}input{font:inherit;padding:4px 8px;min-width:18em}`

export function listPage(token: string, mails: readonly ListedMail[], filter: Filter): string {
  const rows = mails.map(
    ({ id, recipients, subject, received_at }) =>
      `<tr><td><time>${escapeHtml(received_at)}</time></td><td>${escapeHtml(recipients.join(', '))}</td><td><a href="/inbox/${token}/${id}">${escapeHtml(subject)}</a></td></tr>`,
  )
  const search = `<form method="get" action="/inbox/${token}"><label>To <input name="to" value="${escapeHtml(filter.to ?? '')}"></label> <button>Show</button></form>`
  const table =
    rows.length === 0
      ? '<p class="quiet">No mail.</p>'
      : `<table><tr><th>Received</th><th>To</th><th>Subject</th></tr>\n${rows.join('\n')}\n</table>`
  return page('Inbox', `<h1>Inbox</h1>\n${search}\n${table}\n${turning(token, mails.length, filter)}`)
}

export function messagePage(token: string, mail: ShownMail): string {
  const fields = [
    ['From', mail.from],
    ['To', mail.to.join(', ')],
    ['Cc', mail.cc.join(', ')],
    ['Received', mail.received_at],
  ].filter(([, value]) => value !== '')
  const rows = fields.map(
    ([name, value]) => `<tr><th>${escapeHtml(name ?? '')}</th><td>${escapeHtml(value ?? '')}</td></tr>`,
  )
  const headers = mail.headers.map(({ name, value }) => `${name}: ${value}`).join('\n')
  return page(
    mail.subject,
    `<p><a href="/inbox/${token}">Inbox</a></p>
<h1>${escapeHtml(mail.subject)}</h1>
<table>${rows.join('')}</table>
<h2>As HTML</h2>
<iframe sandbox title="The mail as HTML" src="/inbox/${token}/${mail.id}/html"></iframe>
<h2>As text</h2>
<pre>${escapeHtml(mail.text)}</pre>
<h2>Headers</h2>
<pre>${escapeHtml(headers)}</pre>`,
  )
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`
}

function turning(token: string, count: number, filter: Filter): string {
  const { limit, offset } = filter
  const newer = { ...filter, offset: Math.max(0, offset - limit) }
  const older = { ...filter, offset: offset + limit }
  const links = [
    ...(offset > 0 ? [`<a href="${addressOf(token, newer)}">Newer</a>`] : []),
    ...(count === limit ? [`<a href="${addressOf(token, older)}">Older</a>`] : []),
  ]
  return links.length === 0 ? '' : `<p>${links.join(' · ')}</p>`
}

function addressOf(token: string, { to, limit, offset }: Filter): string {
  const query = new URLSearchParams({ ...(to !== undefined && { to }), limit: String(limit), offset: String(offset) })
  return escapeHtml(`/inbox/${token}?${query.toString()}`)
}
