import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { refreshAfter, useGet } from '../access/queries.ts'
import { Chart } from '../charts/chart.tsx'
import { Action } from '../parts/buttons/action.tsx'
import { Form, TextField } from '../parts/form.tsx'
import { Loaded, LoadedPage } from '../parts/loaded.tsx'
import { Figures, Fold, Page, Section } from '../parts/page.tsx'
import { compact, count, formatDateTime, money } from '../parts/words.tsx'
import { Band } from './band.tsx'
import { Factors } from './factors.tsx'
import { Songs } from './songs.tsx'

/** Finds the catalog in the catalogs of the account, which are read page by page. */
async function readCatalog(id: string) {
  for (let offset = 0; ; offset += 100) {
    const { catalogs, pagination } = await api.GET('/api/catalogs', { query: { limit: 100, offset, ...forAccount() } })
    const catalog = catalogs.find((candidate) => candidate.id === id)
    if (catalog !== undefined) return catalog
    if (offset + 100 >= pagination.total_count)
      throw new Error('This catalog does not exist, or you have no access to it.')
  }
}

export function CatalogPage() {
  const { catalogId = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const path = { catalogId }
  const query = useQuery({ queryKey: ['catalog', catalogId], queryFn: () => readCatalog(catalogId) })
  const rename = (name: string) =>
    refreshAfter(api.PATCH('/api/catalogs/{catalogId}', { path, body: { name } }), 'catalogs', 'catalog')
  const remove = async (): Promise<void> => {
    await refreshAfter(api.DELETE('/api/catalogs/{catalogId}', { path }), 'catalogs')
    await navigate({ to: '/catalogs' })
  }
  return (
    <LoadedPage title="Catalog" query={query}>
      {(catalog) => (
        <Page
          title={catalog.name}
          actions={
            <Action name="Delete" confirm="Delete this catalog? The measurements of its songs remain." onAct={remove} />
          }
        >
          <EstimatedValue catalogId={catalogId} />
          <Songs catalogId={catalogId} />
          <Fold title="Rename">
            <Form submit="Save" onSubmit={(fields) => rename(fields.text('name'))}>
              <TextField name="name" label="Name" required defaultValue={catalog.name} />
            </Form>
          </Fold>
          <Factors />
        </Page>
      )}
    </LoadedPage>
  )
}

function EstimatedValue({ catalogId }: { catalogId: string }) {
  const path = { catalogId }
  const query = { limit: 1, ...forAccount() }
  const measurements = useGet('measurements', '/api/catalogs/{catalogId}/measurements', { path, query })
  const history = useGet('valuations', '/api/catalogs/{catalogId}/valuations', { path, query: { limit: 100 } })
  const valuations = (history.data?.valuations ?? []).toReversed()
  return (
    <Section title="Estimated value">
      <Loaded query={measurements}>
        {({ valuation, total_streams: streams, measured_song_count: songs, catalog_age_years: age }) => (
          <>
            {valuation === null ? (
              <p className="empty">No songs have been measured yet. Run a valuation to measure them.</p>
            ) : (
              <Band {...valuation} />
            )}
            <Figures
              figures={[
                ['Streams', count(streams)],
                ['Measured songs', count(songs)],
                ['Age in years', count(age)],
              ]}
            />
          </>
        )}
      </Loaded>
      {valuations.length > 0 && (
        <p className="quiet">Last valued {formatDateTime(valuations.at(-1)?.measured_at ?? 0)}.</p>
      )}
      {valuations.length > 1 && (
        <Chart
          label="Valuations over time"
          times={valuations.map(({ measured_at: at }) => Date.parse(at) / 1000)}
          lines={[
            { name: 'Middle', values: valuations.map(({ mid }) => mid) },
            { name: 'Low', values: valuations.map(({ low }) => low) },
            { name: 'High', values: valuations.map(({ high }) => high) },
          ]}
          format={(value) => (value < 1000 ? money(value) : `$${compact(value)}`)}
        />
      )}
    </Section>
  )
}
