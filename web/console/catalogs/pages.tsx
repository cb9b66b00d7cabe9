import { Link, useNavigate } from '@tanstack/react-router'
import { forAccount, forOrganization } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { refreshAfter } from '../access/queries.ts'
import { Form, TextField } from '../parts/form.tsx'
import { useOffsetList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Fold, Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { count, money } from '../parts/words.tsx'

export { CatalogPage } from './catalog.tsx'
export { ValuationPage } from './valuation.tsx'

export function CatalogsPage() {
  const navigate = useNavigate()
  const list = useOffsetList(
    ['catalogs'],
    (range) => api.GET('/api/catalogs', { query: { ...range, ...forAccount() } }),
    ({ catalogs }) => catalogs,
  )
  return (
    <Page title="Catalogs" lead="Lists of recordings with their play counts and estimated values.">
      <Fold title="New catalog">
        <Form
          submit="Create"
          onSubmit={async (fields) => {
            const body = { name: fields.text('name'), ...forOrganization() }
            const { catalog } = await refreshAfter(api.POST('/api/catalogs', { body }), 'catalogs')
            await navigate({ to: `/catalogs/${catalog.id}` })
          }}
        >
          <TextField name="name" label="Name" required maxLength={200} />
        </Form>
      </Fold>
      <Rows
        list={list}
        empty={
          <>
            No catalogs yet. <Link to="/valuation">Run a valuation</Link> to measure an artist’s songs and create the
            catalog.
          </>
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
                show: ({ id, name }) => <Link to={`/catalogs/${id}`}>{name}</Link>,
                value: ({ name }) => name,
              },
              { name: 'Owner', value: ({ owner }) => owner.name ?? 'You' },
              { name: 'Songs', value: (catalog) => catalog.song_count, format: count },
              { name: 'Measured', value: (catalog) => catalog.measured_song_count, format: count },
              { name: 'Value', value: ({ valuation }) => valuation?.mid, format: money },
              { name: 'Changed', value: (catalog) => new Date(catalog.updated_at) },
            ]}
          />
        )}
      </Rows>
    </Page>
  )
}
