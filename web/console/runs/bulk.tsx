import { api, type Schemas } from '../access/api.ts'
import { explain } from '../access/failure.ts'
import { refresh } from '../access/queries.ts'
import { Action } from '../parts/buttons/action.tsx'
import { isLive } from '../parts/live.ts'
import { showSuccess, showError } from '../parts/toasts/toasts.ts'
import { countOf } from '../parts/words.tsx'
import { createRepeat } from './again.ts'
import { cancelRun } from './cancel.ts'

type ListedRun = Schemas['ListedRun']
type Props = { selected: readonly ListedRun[]; onClear: () => void }

/** Maximum number of runs that are changed concurrently. */
const maxConcurrent = 4

/** Buttons that act on the selected runs. */
export function BulkActions({ selected, onClear }: Props) {
  const cancellableRuns = selected.filter((run) => run.cancellable)
  const endedRuns = selected.filter(({ status }) => !isLive(status))
  const changeRuns = async (runs: readonly ListedRun[], verb: string, change: (run: ListedRun) => Promise<unknown>) => {
    const errors = await changeAll(runs, change)
    const changedCount = runs.length - errors.length
    if (changedCount > 0) showSuccess(`${countOf(changedCount, 'run')} ${verb}.`)
    if (errors.length > 0) showError(new Error(`${countOf(errors.length, 'run')} not ${verb}: ${errors[0]}`))
    onClear()
    await refresh('runs', 'run-poll', 'run-counts')
  }
  return (
    <div className="buttons bulk" role="group" aria-label="Selected runs">
      <span>{countOf(selected.length, 'run')} selected</span>
      <Action
        name="Cancel runs"
        disabled={cancellableRuns.length === 0}
        confirm={`Cancel ${countOf(cancellableRuns.length, 'run')}?`}
        onAct={() => changeRuns(cancellableRuns, 'cancelled', cancelRun)}
      />
      <Action
        name="Run again"
        disabled={endedRuns.length === 0}
        confirm={`Repeat ${countOf(endedRuns.length, 'run')}? Each repeat is charged like the original run.`}
        onAct={() => changeRuns(endedRuns, 'started again', repeat)}
      />
      <Action name="Clear" onAct={onClear} />
    </div>
  )
}

async function repeat(run: ListedRun): Promise<void> {
  const startRepeat = createRepeat(run, run.kind === 'turn' ? undefined : await readPayload(run.id))
  if (startRepeat === undefined) throw new Error('A run of this kind cannot be repeated.')
  await startRepeat()
}

async function readPayload(runId: string): Promise<unknown> {
  return (await api.GET('/api/runs/{runId}/timeline', { path: { runId } })).job?.payload
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
