import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { Schemas } from '../access/api.ts'
import { refreshAfter, useGet } from '../access/queries.ts'
import { isLive } from '../parts/live.ts'
import { Action } from '../parts/buttons/action.tsx'
import { LoadedPage } from '../parts/loaded.tsx'
import { Facts, Figures, Page, Section } from '../parts/page.tsx'
import { formatCredits, duration, formatDateTime, RunStatus, Time } from '../parts/words.tsx'
import { TemporalRunLink } from '../operator/temporal-link.tsx'
import { promptUser } from '../parts/dialogs/dialogs.ts'
import { cancelRun } from './cancel.ts'
import { createRepeat, readPrompt, sendPrompt } from './again.ts'
import { JobData } from './job-data.tsx'
import { formatKind } from './run-list.tsx'
import { toKey, toRows, type Row } from './timeline/entries.ts'
import { Timeline } from './timeline/timeline.tsx'

const refetchMs = 1000

// Loaded on demand: the panel when the first entry is opened, and the video if the run has created one.
const EntryPanel = lazy(async () => ({ default: (await import('./timeline/entry-panel.tsx')).EntryPanel }))
const RunVideo = lazy(async () => ({ default: (await import('./run-video.tsx')).RunVideo }))

export function RunPage() {
  const { runId = '' } = useParams({ strict: false })
  const query = useTimeline(runId)
  const childRunId = query.data?.run.childRunId ?? null
  const child = useTimeline(childRunId ?? '', childRunId !== null)
  return (
    <LoadedPage title="Run" query={query}>
      {({ run, job, entries, isTruncated, isExpired, keptUntil }) => (
        <Page title={run.title ?? formatKind(run.kind)} actions={<RunActions run={run} payload={job?.payload} />}>
          <Figures
            figures={[
              ['Status', <RunStatus key="status" run={run} />],
              ['Kind', formatKind(run.kind)],
              ['Accepted', <Time key="accepted" at={run.createdAt} />],
              ['Duration', duration(run.durationMs)],
              ['Credits', formatCredits(run.credits)],
            ]}
          />
          {run.error !== null && (
            <p className="error">
              {run.error.name}: {run.error.message}
            </p>
          )}
          {run.kind === 'create-content' && run.status === 'completed' && (
            <Suspense>
              <RunVideo runId={run.id} />
            </Suspense>
          )}
          <Section title="Timeline">
            {isExpired ? (
              <p className="empty">The steps of this run have been deleted.</p>
            ) : (
              <Entries
                rows={toRows(run.id, entries, childRunId === null ? [] : toRows(childRunId, child.data?.entries ?? []))}
                run={run}
              />
            )}
            {isTruncated && <p className="quiet">The timeline shows only the first entries.</p>}
            {keptUntil !== null && !isExpired && <p className="quiet">Available until {formatDateTime(keptUntil)}.</p>}
          </Section>
          <Section title="Details">
            <Facts
              facts={[
                ['ID', <code key="id">{run.id}</code>],
                ['Model', run.modelId ?? '–'],
                ['End reason', run.endReason?.replaceAll('_', ' ') ?? '–'],
                ['Tags', <Tags key="tags" tags={run.tags} />],
                ['Related', <RunLinks key="links" run={run} />],
              ]}
            />
          </Section>
          {job !== null && <JobData job={job} />}
        </Page>
      )}
    </LoadedPage>
  )
}

function useTimeline(runId: string, enabled = true) {
  const input = { path: { runId } }
  return useGet('run', '/api/runs/{runId}/timeline', input, {
    refetchInterval: ({ state }) => (state.data !== undefined && !isLive(state.data.run.status) ? false : refetchMs),
    enabled,
  })
}

type EntriesProps = { rows: readonly Row[]; run: { createdAt: string; endedAt: string | null } }

/** Timeline with the texts of the selected entry beside it. The URL contains the key of the entry. */
function Entries({ rows, run }: EntriesProps) {
  const { entry }: { entry?: string } = useSearch({ strict: false })
  const navigate = useNavigate()
  const selected = rows.find((row) => toKey(row) === entry)
  const select = (key: string | undefined): void =>
    void navigate({ to: '.', search: key === undefined ? {} : { entry: key }, replace: true, resetScroll: false })
  return (
    <div className="timeline-layout" data-open={selected !== undefined}>
      <div>
        <Timeline rows={rows} run={run} selected={selected && toKey(selected)} onSelect={select} />
      </div>
      {selected !== undefined && (
        <Suspense>
          <EntryPanel row={selected} onClose={() => select(undefined)} />
        </Suspense>
      )}
    </div>
  )
}

type Run = Schemas['ListedRun']

function RunActions({ run, payload }: { run: Run; payload: unknown }) {
  const navigate = useNavigate()
  const { id, kind, status, cancellable } = run
  const repeat = isLive(status) ? undefined : createRepeat(run, payload)
  const repeatWithChanges = async (): Promise<void> => {
    const prompt = await readPrompt(run)
    const newPrompt = await promptUser({ question: 'Prompt', confirmLabel: 'Run', text: prompt, isLong: true })
    if (newPrompt !== undefined && newPrompt !== '') await navigate(await sendPrompt(run, newPrompt))
  }
  return (
    <>
      {cancellable && <Action name="Cancel" onAct={() => refreshAfter(cancelRun(run), 'run')} />}
      {repeat !== undefined && <Action name="Run again" onAct={async () => navigate(await repeat())} />}
      {repeat !== undefined && kind === 'turn' && <Action name="Run again with changes" onAct={repeatWithChanges} />}
      <TemporalRunLink runId={id} />
    </>
  )
}

function RunLinks({ run: { sessionId, chatId, taskId, parentRunId, childRunId } }: { run: Run }) {
  if ([chatId, taskId, parentRunId, childRunId].every((id) => id === null)) return <>none</>
  return (
    <span className="buttons">
      {sessionId !== null && chatId !== null && <Link to={`/chat/${sessionId}/${chatId}`}>Chat</Link>}
      {taskId !== null && <Link to={`/tasks/${taskId}`}>Task</Link>}
      {parentRunId !== null && <Link to={`/runs/${parentRunId}`}>Job that waits for this run</Link>}
      {childRunId !== null && <Link to={`/runs/${childRunId}`}>Turn that this job waits for</Link>}
    </span>
  )
}

function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <span className="buttons">
      {tags.map((tag) => (
        <Link key={tag} to="/runs" search={{ tag }}>
          {tag.replace(/([0-9a-f]{8})-[0-9a-f-]{27}/, '$1…')}
        </Link>
      ))}
    </span>
  )
}
