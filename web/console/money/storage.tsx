import { useQuery } from '@tanstack/react-query'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Facts, Section } from '../parts/page.tsx'
import { bytes } from '../parts/words.tsx'

/** Storage used by tracks, videos and their files, and the quota of the plan. */
export function MediaStorage({ accountId: id }: { accountId: string }) {
  const query = useQuery({
    queryKey: ['media', id],
    queryFn: () => read(api.GET('/api/accounts/{id}/media', { params: { path: { id } } })),
  })
  return (
    <Section title="Media storage">
      <Loaded query={query}>
        {({ used_bytes: used, quota_bytes: quota, plan }) => (
          <Facts
            facts={[
              ['Used', bytes(used)],
              ['Quota', quota === null ? 'No limit' : `${bytes(quota)} on the ${plan} plan`],
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}
