import { forAccount } from '../access/acting.ts'
import { api, type Schemas } from '../access/api.ts'
import { refreshAfter, useGet } from '../access/queries.ts'
import { Chart } from '../charts/chart.tsx'
import { Action } from '../parts/buttons/action.tsx'
import { Form, SelectField, TextField } from '../parts/form.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { SafeLink } from '../parts/markdown.tsx'
import { Fold, Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { compact, count } from '../parts/words.tsx'

const platforms = [
  'STREAMING',
  'TIKTOK',
  'PHOTO',
  'X',
  'THREADS',
  'VIDEO',
  'FACEBOOK',
  'LINKEDIN',
  'LIVE_EVENTS',
] as const
const historyDays = '90'

export function Profiles({ artistId: id }: { artistId: string }) {
  const path = { id }
  const input = { path, query: { limit: 100, days: historyDays } }
  const query = useGet('artists', '/api/artists/{id}/socials', input, { select: ({ socials }) => socials })
  const remove = (socialId: string) =>
    refreshAfter(api.DELETE('/api/artists/{id}/socials/{socialId}', { path: { id, socialId } }), 'artists')
  return (
    <Section title="Profiles">
      <Loaded query={query} empty="No profiles are linked yet.">
        {(socials) => (
          <>
            <Table
              caption="Profiles"
              rows={socials}
              rowKey={({ social_id: key }) => key}
              tools="all"
              columns={[
                { name: 'Platform', value: formatPlatform },
                {
                  name: 'Profile',
                  show: ({ profile_url: url, username }) => (
                    <SafeLink href={`https://${url.replace(/^https?:\/\//, '')}`}>{username ?? url}</SafeLink>
                  ),
                  value: ({ profile_url: url }) => url,
                },
                { name: 'Followers', value: ({ follower_count: followers }) => followers, format: count },
                { name: 'Last read', value: ({ updated_at: at }) => new Date(at) },
                {
                  name: 'Change',
                  show: ({ social_id: socialId }) => (
                    <Action
                      name="Remove"
                      confirm="Remove this profile from the artist?"
                      onAct={() => remove(socialId)}
                    />
                  ),
                },
              ]}
            />
            <Followers socials={socials} />
          </>
        )}
      </Loaded>
      <Fold title="Link a profile">
        <Form
          submit="Link"
          resets
          onSubmit={(fields) => {
            const body = { profileUrls: { [fields.text('platform')]: fields.text('url') }, ...forAccount() }
            return refreshAfter(api.PATCH('/api/artists/{id}', { path, body }), 'artists')
          }}
        >
          <SelectField
            name="platform"
            label="Platform"
            data={platforms.map((type) => ({ value: type, label: formatPlatform({ type }) }))}
          />
          <TextField name="url" label="URL" type="url" required placeholder="https://www.tiktok.com/@name" />
        </Form>
      </Fold>
    </Section>
  )
}

function formatPlatform({ type }: { type: string }): string {
  return type.toLowerCase().replace('_', ' ')
}

/** Chart of followers, with one line for each profile that was scraped more than once. */
function Followers({ socials }: { socials: Schemas['Social'][] }) {
  const socialsWithHistory = socials.filter(({ history }) => (history?.length ?? 0) > 1)
  if (socialsWithHistory.length === 0) return null
  const allDates = socialsWithHistory.flatMap(({ history }) => (history ?? []).map(({ date }) => date))
  const dates = [...new Set(allDates)].sort()
  const lines = socialsWithHistory.map(({ type, history }) => {
    const counts = new Map(history?.map(({ date, follower_count: followers }) => [date, followers]))
    return { name: type.toLowerCase(), values: dates.map((date) => counts.get(date) ?? null) }
  })
  return <Chart label="Followers" times={dates.map((date) => Date.parse(date) / 1000)} lines={lines} format={compact} />
}
