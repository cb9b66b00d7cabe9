import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Chart } from '../charts/chart.tsx'
import { Action } from '../parts/action.tsx'
import { Form, TextField } from '../parts/form.tsx'
import { Loaded, LoadedPage } from '../parts/loaded.tsx'
import { Figures, Page, Section } from '../parts/page.tsx'
import { compact, count, formatDateTime, money } from '../parts/words.tsx'
import { Band } from './band.tsx'
import { Factors } from './factors.tsx'
import { Songs } from './songs.tsx'

/** Finds the catalog in the catalogs of the account, which are read page by page. */
async function readCatalog(id: string) {
  for (let offset = 0; ; offset += 100) {
    const { catalogs, pagination } = await read(
      api.GET('/api/catalogs', { params: { query: { limit: 100, offset, ...forAccount() } } }),
    )
    const catalog = catalogs.find((candidate) => candidate.id === id)
    if (catalog !== undefined) return catalog
    if (offset + 100 >= pagination.total_count)
      throw new Error('This catalog does not exist, or you have no access to it.')
  }
}

export function CatalogPage() {
  const { catalogId = '' } = useParams({ strict: false })
  const queries = useQueryClient()
  const navigate = useNavigate()
  const path = { catalogId }
  const query = useQuery({ queryKey: ['catalogs', catalogId], queryFn: () => readCatalog(catalogId) })
  return (
    <LoadedPage title="Catalog" query={query}>
      {(catalog) => (
        <Page
          title={catalog.name}
          actions={
            <Action
              confirm="Delete this catalog? The measurements of its songs remain."
              onAct={async () => {
                await read(api.DELETE('/api/catalogs/{catalogId}', { params: { path } }))
                await queries.invalidateQueries({ queryKey: ['catalogs'], exact: true })
                await navigate({ to: '/catalogs' })
              }}
            >
              Delete
            </Action>
          }
        >
          <EstimatedValue catalogId={catalogId} />
          <Songs catalogId={catalogId} />
          <details className="fold">
            <summary>Rename</summary>
            <Form
              submit="Save"
              onSubmit={async (fields) => {
                await read(
                  api.PATCH('/api/catalogs/{catalogId}', { params: { path }, body: { name: fields.text('name') } }),
                )
                await queries.invalidateQueries({ queryKey: ['catalogs'] })
              }}
            >
              <TextField name="name" label="Name" required defaultValue={catalog.name} />
            </Form>
          </details>
          <Factors />
        </Page>
      )}
    </LoadedPage>
  )
}

function EstimatedValue({ catalogId }: { catalogId: string }) {
  const path = { catalogId }
  const measurements = useQuery({
    queryKey: ['measurements', catalogId, 'sum'],
    queryFn: () =>
      read(
        api.GET('/api/catalogs/{catalogId}/measurements', { params: { path, query: { limit: 1, ...forAccount() } } }),
      ),
  })
  const history = useQuery({
    queryKey: ['valuations', catalogId],
    queryFn: async () =>
      (await read(api.GET('/api/catalogs/{catalogId}/valuations', { params: { path, query: { limit: 100 } } })))
        .valuations,
  })
  const valuations = (history.data ?? []).toReversed()
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
