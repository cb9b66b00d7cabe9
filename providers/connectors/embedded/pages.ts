import type { BrokerConnection, Toolkit } from '../../../domain/connectors/connector.ts'
import type { DemoItem } from '../../../domain/connectors/demo.ts'
import { parseUrl } from '../../../domain/fields/url.ts'
import { html, type Html } from '../../../domain/pages/html.ts'
import { embeddedPage, embeddedPageHeaders } from '../../embedded-page.ts'
import { listActions } from './actions.ts'
import type { DemoStore } from './store.ts'

const notice = 'Demo: this page belongs to the embedded connector broker. It does not connect any external account.'

/** Allowed redirect targets of the form, because the callback redirects to the app that requested the connection. */
const formTargets = ['https:', 'http://localhost:*', 'http://127.0.0.1:*']

type Headers = Record<string, string>
type ConsentResponse = { status: 200 | 404; headers: Headers; body: string } | { status: 303; headers: Headers }

/** Serves the page of a connection: the consent form, then the stored items. Only the requester knows the connection's id. */
export type ConsentPages = {
  show(id: string, query: ConsentQuery): Promise<ConsentResponse>
  submit(id: string, query: ConsentQuery, choice: string | null): Promise<ConsentResponse>
}

type ConsentQuery = { callback?: string | undefined; state?: string | undefined }
type PageOptions = { store: DemoStore; toolkits: readonly Toolkit[]; baseUrl: string }

export function createPages({ store, toolkits, baseUrl }: PageOptions): ConsentPages {
  const findName = (slug: string): string => toolkits.find((toolkit) => toolkit.slug === slug)?.name ?? slug

  const show = async (id: string): Promise<ConsentResponse> => {
    const connection = await store.findConnection(id)
    if (connection === undefined)
      return page(404, 'Not connected', html`<p>This connection does not exist. It was removed or denied.</p>`)
    const name = findName(connection.toolkit)
    return connection.active
      ? page(200, name, await renderContent(store, connection))
      : page(200, `Connect ${name}`, renderConsent(connection))
  }

  return {
    show,
    submit: async (id, query, choice) => {
      const connection = await store.findConnection(id)
      const returnUrl = buildReturnUrl(baseUrl, query)
      if (connection === undefined || connection.active || returnUrl === undefined) return show(id)
      if (choice === 'allow') await store.activateConnection(id)
      else if (choice === 'refuse') {
        await store.deleteConnection(id)
        returnUrl.searchParams.set('error', 'access_denied')
      } else return show(id)
      return { status: 303, headers: { location: returnUrl.href, 'referrer-policy': 'no-referrer' } }
    },
  }
}

/** Returns the callback URL with the state; undefined without a state or for a URL with another origin. */
function buildReturnUrl(baseUrl: string, { callback, state }: ConsentQuery): URL | undefined {
  const url = parseUrl(callback ?? '')
  if (url === undefined || url.origin !== new URL(baseUrl).origin || state === undefined) return undefined
  url.searchParams.set('state', state)
  return url
}

function renderConsent({ toolkit, recipient }: BrokerConnection & { recipient: string | null }): Html {
  const actions = listActions(toolkit).map(
    ({ name, description }) => html`<li><strong>${name}.</strong> ${description}</li> `,
  )
  return html`<p>
      The Backline account <strong>${recipient ?? 'without a name'}</strong> requests permission to do the following on
      your behalf:
    </p>
    <ul>
      ${actions}
    </ul>
    <p>
      Allow this only if the account is yours. Before the connection is active, you must sign in to this account and
      confirm it. You can disconnect it at any time.
    </p>
    <form method="post">
      <button name="choice" value="allow">Allow</button>
      <button class="plain" name="choice" value="refuse">Refuse</button>
    </form>`
}

async function renderContent(store: DemoStore, { entityId, toolkit }: BrokerConnection): Promise<Html> {
  if (toolkit === 'notebook')
    return renderList(await store.listItems(entityId, 'note'), 'The notebook is empty.', ({ body }) => body)
  if (toolkit === 'calendar')
    return renderList(await store.listItems(entityId, 'event'), 'The calendar is empty.', (event) =>
      [`${formatMinutes(event.startsAt)} to ${formatMinutes(event.endsAt)}`, event.body].filter(Boolean).join(', '),
    )
  return html`<p>The service is connected. Its actions store no data here.</p>`
}

function renderList(items: readonly DemoItem[], emptyText: string, describe: (item: DemoItem) => string): Html {
  if (items.length === 0) return html`<p>${emptyText}</p>`
  const entries = items.map(
    (item) =>
      html`<li>
        <h2>${item.title}</h2>
        <p>${describe(item)}</p>
      </li> `,
  )
  return html`<ul class="entries">
    ${entries}
  </ul>`
}

function formatMinutes(time: Date | null): string {
  return time === null ? '' : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function page(status: 200 | 404, title: string, content: Html): ConsentResponse {
  return { status, headers: embeddedPageHeaders({ formTargets }), body: embeddedPage({ title, notice, content }) }
}
