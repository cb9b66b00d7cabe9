import { html, type Html } from '../../domain/pages/html.ts'
import { embeddedPage } from '../../providers/embedded-page.ts'

export type MailSummary = { id: string; recipients: string[]; subject: string; received_at: string }
export type MailDetails = MailSummary & {
  from: string
  to: string[]
  cc: string[]
  text: string
  html: string
  headers: { name: string; value: string }[]
}
type Filter = { to?: string | undefined; limit: number; offset: number }

export function listPage(token: string, mails: readonly MailSummary[], filter: Filter): string {
  const rows = mails.map(
    ({ id, recipients, subject, received_at }) =>
      html`<li>
        <h2><a href="/inbox/${token}/${id}">${subject || 'No subject'}</a></h2>
        <p class="quiet">to ${recipients.join(', ')}, <time>${received_at}</time></p>
      </li> `,
  )
  return embeddedPage({
    title: 'Inbox',
    content: html`<form class="row" method="get" action="/inbox/${token}">
        <label>Recipient <input name="to" autocomplete="off" value="${filter.to ?? ''}" /></label>
        <button>Show</button>
      </form>
      ${
        rows.length === 0
          ? html`<p class="quiet">No emails.</p>`
          : html`<ul class="entries">
              ${rows}
            </ul>`
      }
      ${paginationLinks(token, mails.length, filter)}`,
  })
}

/** `replyKey`: idempotency key of the reply form; undefined for an email that cannot be replied to. */
type ReplyState = { replyKey: string | undefined; hasReplied: boolean }

export function messagePage(token: string, mail: MailDetails, { replyKey, hasReplied }: ReplyState): string {
  const fields = [
    ['From', mail.from],
    ['To', mail.to.join(', ')],
    ['Cc', mail.cc.join(', ')],
    ['Received', mail.received_at],
  ].filter(([, value]) => value !== '')
  return embeddedPage({
    title: mail.subject || 'No subject',
    ...(hasReplied && { notice: 'Your reply was received. The chat shows the result.' }),
    content: html`<p><a href="/inbox/${token}">All emails</a></p>
      <dl>
        ${fields.map(
          ([name, value]) =>
            html`<dt>${name}</dt>
              <dd>${value}</dd> `,
        )}
      </dl>
      <h2>As HTML</h2>
      <iframe sandbox title="The email as HTML" src="/inbox/${token}/${mail.id}/html"></iframe>
      <h2>As text</h2>
      <pre class="text">${mail.text}</pre>
      ${replyKey !== undefined && replyForm(token, mail, replyKey)}
      <h2>Headers</h2>
      <pre class="text">${mail.headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}</pre>`,
  })
}

function replyForm(token: string, { id, to }: MailDetails, key: string): Html {
  return html`<h2>Reply</h2>
    <form method="post" action="/inbox/${token}/${id}/reply">
      <input type="hidden" name="key" value="${key}" />
      <label>From <input name="from" autocomplete="off" required value="${to[0] ?? ''}" /></label>
      <label>Text <textarea name="text" rows="6" required></textarea></label>
      <details>
        <summary>Headers of the reply</summary>
        <label
          >One per line, for example <code>Auto-Submitted: auto-replied</code>
          <textarea name="headers" rows="2"></textarea>
        </label>
      </details>
      <button>Reply</button>
    </form>`
}

function paginationLinks(token: string, count: number, filter: Filter): Html | undefined {
  const { limit, offset } = filter
  const newer = { ...filter, offset: Math.max(0, offset - limit) }
  const older = { ...filter, offset: offset + limit }
  if (offset === 0 && count < limit) return undefined
  return html`<p>
    ${offset > 0 && html`<a href="${buildInboxPath(token, newer)}">Newer</a> `}
    ${count === limit && html`<a href="${buildInboxPath(token, older)}">Older</a>`}
  </p>`
}

function buildInboxPath(token: string, { to, limit, offset }: Filter): string {
  const query = new URLSearchParams({ ...(to !== undefined && { to }), limit: String(limit), offset: String(offset) })
  return `/inbox/${token}?${query.toString()}`
}
