import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useActingAccount } from '../access/acting.ts'
import { api, type Schemas } from '../access/api.ts'
import { useGet } from '../access/queries.ts'
import { Form, TextField } from '../parts/form.tsx'
import { LoadedPage } from '../parts/loaded.tsx'
import { Figures, Page, Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { count, Status, Time } from '../parts/words.tsx'
import { ArtistChoice } from '../tasks/artist-choice.tsx'
import { ScrapeList } from './scrape-list.tsx'
import { PostTable } from './post-table.tsx'

const refetchMs = 1500

export function ScrapingPage() {
  const navigate = useNavigate()
  const actingAccount = useActingAccount()
  return (
    <Page
      title="Scraping"
      lead="Reads the public profiles of an artist and their latest posts. A profile costs 5 credits and a post costs 1; failures are free."
    >
      {actingAccount !== undefined && (
        <p className="notice">
          Scrapes always belong to your own account and are charged to it, regardless of the selected account.
        </p>
      )}
      <Section title="Scrape an artist">
        <div className="narrow">
          <Form
            submit="Scrape"
            onSubmit={async (fields) => {
              const body = { artist_account_id: fields.text('artist'), posts: fields.number('posts') ?? 20 }
              const { runId } = await api.POST('/api/artist/socials/scrape', { body })
              await navigate({ to: `/scraping/${runId}` })
            }}
          >
            <ArtistChoice name="artist" />
            <TextField name="posts" label="Posts per profile" type="number" min={1} max={100} defaultValue={20} />
          </Form>
        </div>
      </Section>
      <Section title="Scrapes">
        <ScrapeList />
      </Section>
    </Page>
  )
}

export function ScrapePage() {
  const { runId = '' } = useParams({ strict: false })
  const input = { path: { runId }, query: { limit: 100 } }
  const query = useGet('scrapes', '/api/scrapers/runs/{runId}', input, {
    refetchInterval: ({ state }) => (isScrapeLive(state.data?.run.state) ? refetchMs : false),
  })
  return (
    <LoadedPage title="Scrape" query={query}>
      {({ run, data }) => (
        <Page title={run.profile_url ?? 'Scrape'}>
          <Figures
            figures={[
              ['Status', <Status key="status" of={run.state} />],
              ['Started', <Time key="started" at={run.started_at} />],
              ['Ended', <Time key="ended" at={run.finished_at} />],
            ]}
          />
          {run.error !== null && <p className="error">{run.error}</p>}
          {run.runs !== undefined && <ScrapedProfiles runs={run.runs} />}
          {data !== null && data.profile !== null && (
            <Section title="Profile">
              <p>
                {data.profile.username}, {count(data.profile.follower_count)} followers
              </p>
              <p className="verbatim">{data.profile.bio}</p>
            </Section>
          )}
          {data !== null && data.posts.length > 0 && (
            <Section title="Posts">
              <PostTable posts={data.posts} />
            </Section>
          )}
        </Page>
      )}
    </LoadedPage>
  )
}

function ScrapedProfiles({ runs }: { runs: Schemas['ScraperRun'][] }) {
  return (
    <Section title="Profiles">
      <Table
        caption="Profiles"
        rows={runs}
        rowKey={({ runId }) => runId}
        tools="all"
        columns={[
          {
            name: 'Platform',
            show: ({ platform }) => platform?.toLowerCase() ?? '–',
            value: ({ platform }) => platform,
          },
          {
            name: 'Profile',
            show: ({ runId, profile_url: url }) => <Link to={`/scraping/${runId}`}>{url ?? runId}</Link>,
            value: ({ profile_url: url }) => url,
          },
          { name: 'State', show: ({ state }) => <Status of={state} />, value: ({ state }) => state },
          { name: 'Error', show: ({ error }) => error ?? '', value: ({ error }) => error },
        ]}
      />
    </Section>
  )
}

function isScrapeLive(state: string | undefined): boolean {
  return state === undefined || state === 'QUEUED' || state === 'EXECUTING'
}
