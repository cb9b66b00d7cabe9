import { useQuery } from '@tanstack/react-query'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Chart } from '../charts/chart.tsx'
import { Action } from '../parts/action.tsx'
import { Form, SelectField, TextField } from '../parts/form.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { SafeLink } from '../parts/markdown.tsx'
import { Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { compact, count, Time } from '../parts/words.tsx'

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
const historyDays = 90

export function Profiles({ artistId: id, onChange }: { artistId: string; onChange: () => Promise<void> }) {
  const query = useQuery({
    queryKey: ['artists', id, 'socials'],
    queryFn: async () =>
      (
        await read(
          api.GET('/api/artists/{id}/socials', {
            params: { path: { id }, query: { limit: 100, days: String(historyDays) } },
          }),
        )
      ).socials,
  })
  const remove = async (socialId: string): Promise<void> => {
    await read(api.DELETE('/api/artists/{id}/socials/{socialId}', { params: { path: { id, socialId } } }))
    await onChange()
  }
  return (
    <Section title="Profiles">
      <Loaded query={query}>
        {(socials) => (
          <>
            {socials.length === 0 ? (
              <p className="empty">No profiles are linked yet.</p>
            ) : (
              <Table
                caption="Profiles"
                rows={socials}
                rowKey={({ social_id: key }) => key}
                tools="all"
                columns={[
                  { name: 'Platform', show: formatPlatform, value: formatPlatform },
                  {
                    name: 'Profile',
                    show: ({ profile_url: url, username }) => (
                      <SafeLink href={`https://${url.replace(/^https?:\/\//, '')}`}>{username ?? url}</SafeLink>
                    ),
                    value: ({ profile_url: url }) => url,
                  },
                  {
                    name: 'Followers',
                    show: ({ follower_count: followers }) => count(followers),
                    value: ({ follower_count: followers }) => followers,
                    isNumber: true,
                  },
                  {
                    name: 'Last read',
                    show: ({ updated_at: at }) => <Time at={at} />,
                    value: ({ updated_at: at }) => new Date(at),
                  },
                  {
                    name: 'Change',
                    show: ({ social_id: socialId }) => (
                      <Action confirm="Remove this profile from the artist?" onAct={() => remove(socialId)}>
                        Remove
                      </Action>
                    ),
                  },
                ]}
              />
            )}
            <Followers socials={socials} />
          </>
        )}
      </Loaded>
      <details className="fold">
        <summary>Link a profile</summary>
        <Form
          submit="Link"
          resets
          onSubmit={async (fields) => {
            const profileUrls = { [fields.text('platform')]: fields.text('url') }
            await read(
              api.PATCH('/api/artists/{id}', { params: { path: { id } }, body: { profileUrls, ...forAccount() } }),
            )
            await onChange()
          }}
        >
          <SelectField name="platform" label="Platform">
            {platforms.map((platform) => (
              <option key={platform} value={platform}>
                {formatPlatform({ type: platform })}
              </option>
            ))}
          </SelectField>
          <TextField name="url" label="URL" type="url" required placeholder="https://www.tiktok.com/@name" />
        </Form>
      </details>
    </Section>
  )
}

function formatPlatform({ type }: { type: string }): string {
  return type.toLowerCase().replace('_', ' ')
}

type Social = { type: string; history?: { date: string; follower_count: number }[] }

/** Chart of followers, with one line for each profile that was scraped more than once. */
function Followers({ socials }: { socials: Social[] }) {
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
