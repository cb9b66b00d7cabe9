import type { ThreadSummary } from '../../db/content/agent/embedded-messages.ts'
import type { EmbeddedMessage } from '../../domain/content/agent/messages.ts'
import { contentTemplates } from '../../domain/content/templates/index.ts'
import { html, type Html } from '../../domain/pages/html.ts'
import { embeddedPage } from '../../providers/embedded-page.ts'

export type ListedArtist = { id: string; name: string | null }

/** `artists` is undefined if no account is linked to the workspace. */
type Workspace = { token: string; artists: readonly ListedArtist[] | undefined }

export function threadsPage({ token, artists }: Workspace, threads: readonly ThreadSummary[]): string {
  return embeddedPage({
    title: 'Team chat',
    ...(artists === undefined && { notice: 'The workspace local is not linked to an account: see TEAMCHAT_ACCOUNTS.' }),
    content: html`<p>Each message mentions the content agent, which replies in a thread and posts the videos there.</p>
      ${mentionForm(token, artists ?? [])}
      <h2>Threads</h2>
      ${
        threads.length === 0
          ? html`<p class="quiet">No messages.</p>`
          : html`<ul class="entries">
              ${threads.map((thread) => threadEntry(token, thread))}
            </ul>`
      }`,
  })
}

export function threadPage(
  { token }: Pick<Workspace, 'token'>,
  { threadId, messages, isBusy }: { threadId: string; messages: readonly EmbeddedMessage[]; isBusy: boolean },
): string {
  return embeddedPage({
    title: 'Thread',
    ...(isBusy && { refreshSeconds: 3, notice: 'The agent is working. This page refreshes automatically.' }),
    content: html`<p><a href="/team-chat/${token}">All threads</a></p>
      <ul class="entries">
        ${messages.map(messageEntry)}
      </ul>
      ${
        !isBusy &&
        html`<form method="post" action="/team-chat/${token}">
          <input type="hidden" name="thread" value="${threadId}" />
          <label>Mention the agent again <input name="text" required autocomplete="off" /></label>
          <button>Send</button>
        </form>`
      }`,
  })
}

function mentionForm(token: string, artists: readonly ListedArtist[]): Html {
  return html`<form method="post" action="/team-chat/${token}">
    <label
      >Mention: artist id, optionally followed by a template, batch=1 to 30, and lipsync
      <input
        name="text"
        required
        autocomplete="off"
        list="artists"
        placeholder="9b2d7c10-... artist-caption-stage batch=2"
    /></label>
    <datalist id="artists">
      ${artists.map(({ id, name }) => html`<option value="${id}">${name ?? id}</option>`)}
    </datalist>
    <button>Send</button>
    <p class="quiet">Templates: ${contentTemplates.map(({ name }) => name).join(', ')}.</p>
    ${
      artists.length > 0 &&
      html`<details>
        <summary>Artists of the linked account</summary>
        <dl>
          ${artists.map(
            ({ id, name }) =>
              html`<dt>${name ?? 'Unnamed'}</dt>
                <dd><code>${id}</code></dd> `,
          )}
        </dl>
      </details>`
    }
  </form>`
}

function threadEntry(token: string, { threadId, text, messageCount, startedAt }: ThreadSummary): Html {
  return html`<li>
    <h3><a href="/team-chat/${token}/${encodeURIComponent(threadId)}">${text}</a></h3>
    <p class="quiet">${messageCount} messages, <time>${startedAt.toISOString()}</time></p>
  </li> `
}

function messageEntry({ author, text, file, createdAt }: EmbeddedMessage): Html {
  return html`<li>
    <h3>${author === 'agent' ? 'Content agent' : 'You'}</h3>
    <p class="quiet"><time>${createdAt.toISOString()}</time></p>
    <p class="said">${text}</p>
    ${
      file &&
      html`<video controls preload="metadata" playsinline src="${file.url}"></video>
        <p><a href="${file.url}" download="${file.name}">${file.name}</a></p>`
    }
  </li> `
}
