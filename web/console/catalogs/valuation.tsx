import { useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { ApiFailure, read } from '../access/failure.ts'
import { Form, TextField } from '../parts/form.tsx'
import { Page, Section } from '../parts/page.tsx'
import { count } from '../parts/words.tsx'
import { Band } from './band.tsx'
import { Factors } from './factors.tsx'

const exampleArtist = '0LcJLqbBmaGUft1e9Mm8HV'

type Valued = Awaited<ReturnType<typeof value>>

export function ValuationPage() {
  const queries = useQueryClient()
  const { artist }: { artist?: string } = useSearch({ strict: false })
  const [valued, setValued] = useState<Valued>()
  return (
    <Page
      title="Valuation"
      lead="What the recordings of an artist may be worth to a buyer of the master rights. Measures every album and single; an hour later measured ones are taken again and cost nothing."
    >
      <div className="narrow">
        <Form
          submit="Value this artist"
          onSubmit={async (fields) => {
            setValued(await value(parseArtistId(fields.text('artist'))))
            await queries.invalidateQueries({ queryKey: ['catalogs'] })
          }}
        >
          <TextField
            name="artist"
            label="Artist: id or address on the streaming platform"
            required
            defaultValue={artist ?? exampleArtist}
            hint="It takes some seconds. When you leave, the work goes on: look under Runs."
          />
        </Form>
      </div>
      {valued !== undefined && (
        <Section title={valued.catalog.name}>
          <Band {...valued.band} />
          <p>
            {count(valued.songs_measured)} songs were measured.{' '}
            <Link to="/catalogs/$catalogId" params={{ catalogId: valued.catalog.id }}>
              Open the catalog
            </Link>
          </p>
        </Section>
      )}
      <Factors />
    </Page>
  )
}

/** Asks again while the measurement goes on: each call joins the same work. */
async function value(streamingArtistId: string) {
  for (;;)
    try {
      return await read(
        api.POST('/api/valuation', { body: { streaming_artist_id: streamingArtistId, ...forAccount() } }),
      )
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status !== 504) throw error
    }
}

function parseArtistId(text: string): string {
  return /artist[/:]([A-Za-z0-9]+)/.exec(text)?.[1] ?? text
}
