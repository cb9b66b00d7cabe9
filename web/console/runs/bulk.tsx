import { useQueryClient } from '@tanstack/react-query'
import { api } from '../access/api.ts'
import { explain, read } from '../access/failure.ts'
import { Action } from '../parts/action.tsx'
import { isLive } from '../parts/live.ts'
import { showSuccess, showError } from '../parts/toasts/toasts.ts'
import { createRepeat } from './again.ts'
import { cancelRun } from './cancel.ts'
import type { ListedRun } from './live-runs.ts'

type Props = { selected: readonly ListedRun[]; onClear: () => void }

/** Maximum number of runs that are changed concurrently. */
const maxConcurrent = 4

/** Buttons that act on the selected runs. */
export function BulkActions({ selected, onClear }: Props) {
  const queries = useQueryClient()
  const cancellableRuns = selected.filter((run) => run.cancellable)
  const endedRuns = selected.filter(({ status }) => !isLive(status))
  const changeRuns = async (runs: readonly ListedRun[], verb: string, change: (run: ListedRun) => Promise<unknown>) => {
    const errors = await changeAll(runs, change)
    const changedCount = runs.length - errors.length
    if (changedCount > 0) showSuccess(`${formatRunCount(changedCount)} ${verb}.`)
    if (errors.length > 0) showError(`${formatRunCount(errors.length)} not ${verb}: ${errors[0]}`)
    onClear()
    await Promise.all(['runs', 'run-poll', 'run-counts'].map((name) => queries.invalidateQueries({ queryKey: [name] })))
  }
  return (
    <div className="buttons bulk" role="group" aria-label="Selected runs">
      <span>{formatRunCount(selected.length)} selected</span>
      <Action
        disabled={cancellableRuns.length === 0}
        confirm={`Cancel ${formatRunCount(cancellableRuns.length)}?`}
        onAct={() => changeRuns(cancellableRuns, 'cancelled', cancelRun)}
      >
        Cancel runs
      </Action>
      <Action
        disabled={endedRuns.length === 0}
        confirm={`Repeat ${formatRunCount(endedRuns.length)}? Each repeat is charged like the original run.`}
        onAct={() => changeRuns(endedRuns, 'started again', repeat)}
      >
        Run again
      </Action>
      <Action onAct={async () => onClear()}>Clear</Action>
    </div>
  )
}

async function repeat(run: ListedRun): Promise<void> {
  const startRepeat = createRepeat(run, run.kind === 'turn' ? undefined : await readPayload(run.id))
  if (startRepeat === undefined) throw new Error('A run of this kind cannot be repeated.')
  await startRepeat()
}

async function readPayload(runId: string): Promise<unknown> {
  return (await read(api.GET('/api/runs/{runId}/timeline', { params: { path: { runId } } }))).job?.payload
}

/** Changes all runs. Returns the errors of the runs that could not be changed. */
async function changeAll(runs: readonly ListedRun[], change: (run: ListedRun) => Promise<unknown>): Promise<string[]> {
  const remaining = [...runs]
  const errors: string[] = []
  const changeRemaining = async (): Promise<void> => {
    for (let run = remaining.shift(); run !== undefined; run = remaining.shift()) {
      try {
        await change(run)
      } catch (error) {
        errors.push(explain(error))
      }
    }
  }
  await Promise.all(Array.from({ length: maxConcurrent }, changeRemaining))
  return errors
}

function formatRunCount(count: number): string {
  return count === 1 ? '1 run' : `${count} runs`
}
