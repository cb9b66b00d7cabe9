import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { forAccount, forOrganization } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Form, TextField } from '../parts/form.tsx'
import { pageSize, useOffsetList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { count, money, Time } from '../parts/words.tsx'

export { CatalogPage } from './catalog.tsx'
export { ValuationPage } from './valuation.tsx'

export function CatalogsPage() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const list = useOffsetList({
    key: ['catalogs'],
    fetchPage: async (offset) => {
      const { catalogs } = await read(
        api.GET('/api/catalogs', { params: { query: { limit: pageSize, offset, ...forAccount() } } }),
      )
      return { rows: catalogs }
    },
  })
  return (
    <Page title="Catalogs" lead="Lists of recordings with their play counts and estimated values.">
      <details className="fold">
        <summary>New catalog</summary>
        <Form
          submit="Create"
          onSubmit={async (fields) => {
            const { catalog } = await read(
              api.POST('/api/catalogs', { body: { name: fields.text('name'), ...forOrganization() } }),
            )
            await queries.invalidateQueries({ queryKey: ['catalogs'] })
            await navigate({ to: '/catalogs/$catalogId', params: { catalogId: catalog.id } })
          }}
        >
          <TextField name="name" label="Name" required maxLength={200} />
        </Form>
      </details>
      <Rows
        list={list}
        empty={
          <p>
            No catalogs yet. <Link to="/valuation">Run a valuation</Link> to measure an artist’s songs and create the
            catalog.
          </p>
        }
      >
        {(catalogs) => (
          <Table
            caption="Catalogs"
            rows={catalogs}
            rowKey={({ id }) => id}
            list={list}
            tools="all"
            columns={[
              {
                name: 'Name',
                show: ({ id, name }) => (
                  <Link to="/catalogs/$catalogId" params={{ catalogId: id }}>
                    {name}
                  </Link>
                ),
                value: ({ name }) => name,
              },
              { name: 'Owner', show: ({ owner }) => owner.name ?? 'You', value: ({ owner }) => owner.name ?? 'You' },
              {
                name: 'Songs',
                show: (catalog) => count(catalog.song_count),
                value: (catalog) => catalog.song_count,
                isNumber: true,
              },
              {
                name: 'Measured',
                show: (catalog) => count(catalog.measured_song_count),
                value: (catalog) => catalog.measured_song_count,
                isNumber: true,
              },
              {
                name: 'Value',
                show: ({ valuation }) => (valuation === null ? '–' : money(valuation.mid)),
                value: ({ valuation }) => valuation?.mid,
                isNumber: true,
              },
              {
                name: 'Changed',
                show: (catalog) => <Time at={catalog.updated_at} />,
                value: (catalog) => new Date(catalog.updated_at),
              },
            ]}
          />
        )}
      </Rows>
    </Page>
  )
}
