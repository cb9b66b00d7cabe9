import { useGet } from '../access/queries.ts'
import { LoadedSection } from '../parts/loaded.tsx'
import { Facts } from '../parts/page.tsx'
import { bytes } from '../parts/words.tsx'

/** Storage used by tracks, videos and their files, and the quota of the plan. */
export function MediaStorage({ accountId: id }: { accountId: string }) {
  return (
    <LoadedSection title="Media storage" query={useGet('media', '/api/accounts/{id}/media', { path: { id } })}>
      {({ used_bytes: used, quota_bytes: quota, plan }) => (
        <Facts
          facts={[
            ['Used', bytes(used)],
            ['Quota', quota === null ? 'No limit' : `${bytes(quota)} on the ${plan} plan`],
          ]}
        />
      )}
    </LoadedSection>
  )
}
