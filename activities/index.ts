import { createJobActivities } from './jobs/index.ts'
import { createBaseActivities } from './sandboxes/bases.ts'
import { createCompactActivities, type CompactDeps } from './chat/compact.ts'
import { createTurnActivities, type TurnActivityDeps } from './chat/turn.ts'
import { createCommitActivities, type CommitDeps } from './repositories/commit.ts'
import { createActivityDatabase } from './runtime/database.ts'
import { createDiffActivities } from './repositories/diff.ts'
import { createRestoreActivities } from './repositories/restore.ts'
import { createMailActivities, type MailDeps } from './mail.ts'
import { createLifecycleActivities } from './sandboxes/lifecycle.ts'
import { createCommitFilesActivities, type CommitFilesDeps } from './sandboxes/personal/commit-files.ts'
import { createCreditActivities } from './credits.ts'
import type { MeasurementDeps } from './measurements/deps.ts'
import { createMeasurementActivities } from './measurements/index.ts'
import type { ContentDeps } from './content/deps.ts'
import { createContentActivities } from './content/index.ts'
import { createMusicActivities } from './music.ts'
import type { PaymentDeps } from './payments/charge.ts'
import { createPaymentActivities } from './payments/index.ts'
import { createPersonalActivities } from './sandboxes/personal/setup.ts'
import { createSandboxActivities } from './sandboxes/session.ts'
import type { ValuationDeps } from './valuation/deps.ts'
import { createValuationActivities } from './valuation/index.ts'
import { createScrapeActivities, type ScrapeDeps } from './scrapers/index.ts'
import { createTaskRunActivities } from './tasks/index.ts'
import { createWorkspaceActivities } from './sandboxes/workspace.ts'

/** The dependencies of all activities. Each capability receives them as its own, smaller type. */
export type ActivityDeps = CommitDeps &
  CommitFilesDeps &
  CompactDeps &
  ContentDeps &
  MailDeps &
  MeasurementDeps &
  PaymentDeps &
  ScrapeDeps &
  TurnActivityDeps &
  ValuationDeps

/** Creates every activity of this deployment. */
export function createActivities(deps: ActivityDeps) {
  return combineActivities({ ...deps, db: createActivityDatabase(deps.db) })
}

export type Activities = ReturnType<typeof createActivities>

function combineActivities(deps: ActivityDeps) {
  return {
    ...createTurnActivities(deps),
    ...createCompactActivities(deps),
    ...createBaseActivities(deps),
    ...createSandboxActivities(deps),
    ...createLifecycleActivities(deps),
    ...createWorkspaceActivities(deps),
    ...createCommitActivities(deps),
    ...createRestoreActivities(deps),
    ...createDiffActivities(deps),
    ...createJobActivities(deps),
    ...createPersonalActivities(deps),
    ...createCommitFilesActivities(deps),
    ...createPaymentActivities(deps),
    ...createMailActivities(deps),
    ...createTaskRunActivities(deps),
    ...createCreditActivities(deps),
    ...createMeasurementActivities(deps),
    ...createMusicActivities(deps),
    ...createContentActivities(deps),
    ...createScrapeActivities(deps),
    ...createValuationActivities(deps),
  }
}
