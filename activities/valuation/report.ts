import { findCatalog, readCatalogSums } from '../../db/catalogs/catalogs.ts'
import { findDominantArtist } from '../../db/catalogs/claim.ts'
import { enqueueMail } from '../../db/mail/outbox.ts'
import { listOwnAddresses } from '../../db/mail/recipients.ts'
import { listReportSongs } from '../../db/valuation/report.ts'
import { withoutTrailingSlashes } from '../../domain/fields/addresses.ts'
import { catalogAge } from '../../domain/valuation/age.ts'
import { valuationBand } from '../../domain/valuation/band.ts'
import { catalogTotals, groupByRelease } from '../../domain/valuation/releases.ts'
import { reportMail } from '../../domain/valuation/report-mail.ts'
import { reportReference } from '../../domain/valuation/request.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import type { ValuationDeps } from './deps.ts'

type ReportTarget = { catalogId: string; snapshotId: string; accountId: string }

export function createReportActivities(deps: ValuationDeps) {
  return {
    /**
     * Queues the email that reports a valuation to all addresses of the paying account. Safe to run again: a snapshot is
     * reported only once.
     */
    queueReport: (target: ReportTarget): Promise<void> =>
      withHeartbeat(async () => {
        const { db, log } = deps
        const { accountId, snapshotId } = target
        const [to, mail] = [await listOwnAddresses(db, accountId), await writeMail(deps, target)]
        if (to.length === 0 || mail === undefined) {
          log.info({ snapshotId, outcome: 'skipped' }, 'a valuation has no report: no streams or no recipients')
          return
        }
        const reference = reportReference(snapshotId)
        const mailId = await db.begin((tx) => enqueueMail(tx, { reference, accountId, to, ...mail }))
        if (mailId === undefined)
          log.info({ snapshotId, outcome: 'skipped' }, 'the report of a valuation was already queued')
        else log.info({ snapshotId, mailId, outcome: 'queued' }, 'the report of a valuation was queued')
      }),
  }
}

/** Writes the email about the catalog; undefined when the catalog is gone or has no streams. */
async function writeMail({ db, catalogs }: ValuationDeps, { catalogId, snapshotId }: ReportTarget) {
  const catalog = await findCatalog(db, catalogId)
  const songs = await listReportSongs(db, catalogId)
  const totals = catalogTotals(songs)
  if (catalog === undefined || totals.streams === 0n) return undefined
  const { earliestRelease } = await readCatalogSums(db, catalogId)
  const age = catalogAge(earliestRelease, new Date())
  const artist = await findDominantArtist(db, snapshotId)
  return reportMail({
    artistName: artist?.name ?? catalog.name,
    catalogName: catalog.name,
    catalogUrl: `${withoutTrailingSlashes(catalogs.webAppUrl)}/catalogs/${catalogId}`,
    band: valuationBand(totals.streams, age.years),
    age,
    totals,
    releases: groupByRelease(songs),
  })
}
