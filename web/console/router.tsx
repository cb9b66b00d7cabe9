import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { Layout } from './shell/layout.tsx'
import { ErrorPage, NotFoundPage } from './shell/failures.tsx'

const root = createRootRoute({ component: Layout, notFoundComponent: NotFoundPage })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/chat' })
  },
})

/** Creates a route that redirects a path in emails and 402 responses to a page of the console. */
function alias(path: '/billing' | '/settings/connectors', to: '/money' | '/connectors') {
  return createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad: () => {
      throw redirect({ to })
    },
  })
}

/** Creates a route whose script loads on the first visit. */
function page<P extends string>(path: P, load: () => Promise<Record<string, unknown>>, name: string) {
  return createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(load as () => Promise<Record<string, () => React.ReactNode>>, name),
  })
}

const runPages = () => import('./runs/pages.tsx')
const taskPages = () => import('./tasks/pages.tsx')
const artistPages = () => import('./artists/pages.tsx')
const catalogPages = () => import('./catalogs/pages.tsx')
const projectPages = () => import('./projects/pages.tsx')
const connectorPages = () => import('./connectors/pages.tsx')
const peoplePages = () => import('./people/pages.tsx')

const aliases = [alias('/billing', '/money'), alias('/settings/connectors', '/connectors')]

const pages = [
  page('/chat', () => import('./chat/home.tsx'), 'ChatHome'),
  page('/chat/$chatId', () => import('./chat/link.tsx'), 'ChatLink'),
  page('/chat/$sessionId/$chatId', () => import('./chat/pages.tsx'), 'ChatPage'),
  page('/inbox', () => import('./inbox/pages.tsx'), 'InboxPage'),
  page('/runs', runPages, 'RunsPage'),
  page('/runs/$runId', runPages, 'RunPage'),
  page('/tasks', taskPages, 'TasksPage'),
  page('/tasks/$taskId', taskPages, 'TaskPage'),
  page('/artists', artistPages, 'ArtistsPage'),
  page('/artists/$artistId', artistPages, 'ArtistPage'),
  page('/catalogs', catalogPages, 'CatalogsPage'),
  page('/catalogs/$catalogId', catalogPages, 'CatalogPage'),
  page('/valuation', catalogPages, 'ValuationPage'),
  page('/scraping', () => import('./scraping/pages.tsx'), 'ScrapingPage'),
  page('/scraping/$runId', () => import('./scraping/pages.tsx'), 'ScrapePage'),
  page('/music', () => import('./music/pages.tsx'), 'MusicPage'),
  page('/content', () => import('./content/pages.tsx'), 'ContentPage'),
  page('/templates', () => import('./templates/pages.tsx'), 'TemplatesPage'),
  page('/projects', projectPages, 'ProjectsPage'),
  page('/projects/$projectId', projectPages, 'ProjectPage'),
  page('/money', () => import('./money/pages.tsx'), 'MoneyPage'),
  page('/receipt', () => import('./money/receipt.tsx'), 'ReceiptPage'),
  page('/account', peoplePages, 'AccountPage'),
  page('/keys', peoplePages, 'KeysPage'),
  page('/organizations', peoplePages, 'OrganizationsPage'),
  page('/connectors', connectorPages, 'ConnectorsPage'),
  page('/connectors/$connector', connectorPages, 'ConnectorPage'),
  page('/confirm', connectorPages, 'ConfirmPage'),
  page('/sandboxes', () => import('./sandboxes/pages.tsx'), 'SandboxesPage'),
  page('/files/$sessionId', () => import('./files/browse.tsx'), 'FilesPage'),
  page('/commits/$owner/$repository/$commit', () => import('./files/commit.tsx'), 'CommitPage'),
  page('/operator', () => import('./operator/pages.tsx'), 'OperatorPage'),
]

export function createConsoleRouter() {
  return createRouter({
    routeTree: root.addChildren([home, ...aliases, ...pages]),
    basepath: '/console',
    defaultPreload: 'intent',
    defaultErrorComponent: ErrorPage,
  })
}
