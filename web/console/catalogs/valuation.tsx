import { Button } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { ApiClientError } from '../access/failure.ts'
import { refreshAfter } from '../access/queries.ts'
import { ArtistSearch } from '../artists/artist-search.tsx'
import { readArtistId } from '../artists/streaming-id.ts'
import { Form } from '../parts/form.tsx'
import { Page, Section } from '../parts/page.tsx'
import { count } from '../parts/words.tsx'
import { Band } from './band.tsx'
import { Factors } from './factors.tsx'

const exampleArtist = '0LcJLqbBmaGUft1e9Mm8HV'

type Valuation = Awaited<ReturnType<typeof runValuation>>

export function ValuationPage() {
  const { artist }: { artist?: string } = useSearch({ strict: false })
  const [exampleCount, setExampleCount] = useState(0)
  const [valuation, setValuation] = useState<Valuation>()
  return (
    <Page
      title="Valuation"
      lead="Estimate what the recordings of an artist are worth to a buyer of the master rights. The valuation measures every album and single. Measurements less than an hour old are reused at no cost."
    >
      <div className="narrow">
        <Form
          submit="Run valuation"
          extraButtons={
            <Button variant="subtle" onClick={() => setExampleCount(exampleCount + 1)}>
              Use an example
            </Button>
          }
          onSubmit={async (fields) => {
            const id = readArtistId(fields, 'artist') ?? ''
            setValuation(await refreshAfter(runValuation(id), 'catalogs', 'catalog'))
          }}
        >
          <ArtistSearch
            key={exampleCount}
            name="artist"
            label="Artist"
            required
            initial={exampleCount > 0 ? exampleArtist : artist}
            hint="A valuation takes a few seconds. It continues if you leave this page; follow it under Runs."
          />
        </Form>
      </div>
      {valuation !== undefined && (
        <Section title={valuation.catalog.name}>
          <Band {...valuation.band} />
          <p>
            {count(valuation.songs_measured)} songs were measured.{' '}
            <Link to={`/catalogs/${valuation.catalog.id}`}>Open the catalog</Link>
          </p>
        </Section>
      )}
      <Factors />
    </Page>
  )
}

/** Runs a valuation. Retries after a timeout, because a repeated call joins the measurement in progress. */
async function runValuation(streamingArtistId: string) {
  for (;;)
    try {
      return await api.POST('/api/valuation', { body: { streaming_artist_id: streamingArtistId, ...forAccount() } })
    } catch (error) {
      if (!(error instanceof ApiClientError) || error.status !== 504) throw error
    }
}
