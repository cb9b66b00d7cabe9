import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { useWaitingRuns } from './waiting.ts'
import { WaitingRun } from './waiting-run.tsx'

/** Inbox of the questions and approvals in all chats of the account. */
export function InboxPage() {
  return (
    <Page
      title="Waiting for you"
      lead="Questions and approvals from all your chats. Each turn continues when you answer."
    >
      <Loaded
        query={useWaitingRuns()}
        empty="Nothing is waiting for you. Questions from agents and tool calls to approve appear here."
      >
        {(runs) => (
          <ul className="plain-list inbox">
            {runs.map((run) => (
              <li key={run.id} className="card">
                <WaitingRun run={run} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Page>
  )
}
