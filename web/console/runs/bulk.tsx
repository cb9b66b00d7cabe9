import { useQueryClient } from '@tanstack/react-query'
import { api } from '../access/api.ts'
import { explain, read } from '../access/failure.ts'
import { Action } from '../parts/action.tsx'
import { isLive } from '../parts/live.ts'
import { showDone, showFault } from '../parts/toasts/toasts.ts'
import { createRepeat } from './again.ts'
import { cancelRun } from './cancel.ts'
import type { ListedRun } from './live-runs.ts'

type Props = { chosen: readonly ListedRun[]; onClear: () => void }

/** Number of runs that are changed at the same time. */
const parallel = 4

/** Buttons that act on the chosen runs. */
export function BulkActions({ chosen, onClear }: Props) {
  const queries = useQueryClient()
  const cancellable = chosen.filter((run) => run.cancellable)
  const ended = chosen.filter(({ status }) => !isLive(status))
  const act = async (runs: readonly ListedRun[], verb: string, change: (run: ListedRun) => Promise<unknown>) => {
    const faults = await changeAll(runs, change)
    const done = runs.length - faults.length
    if (done > 0) showDone(`${runsInWords(done)} ${verb}.`)
    if (faults.length > 0) showFault(`${runsInWords(faults.length)} not ${verb}: ${faults[0]}`)
    onClear()
    await Promise.all(['runs', 'run-poll', 'run-counts'].map((name) => queries.invalidateQueries({ queryKey: [name] })))
  }
  return (
    <div className="buttons bulk" role="group" aria-label="Chosen runs">
      <span>{runsInWords(chosen.length)} chosen</span>
      <Action
        disabled={cancellable.length === 0}
        confirm={`Cancel ${runsInWords(cancellable.length)}?`}
        onAct={() => act(cancellable, 'cancelled', cancelRun)}
      >
        Cancel runs
      </Action>
      <Action
        disabled={ended.length === 0}
        confirm={`Run ${runsInWords(ended.length)} again? Each costs as much as the first time.`}
        onAct={() => act(ended, 'started again', repeat)}
      >
        Run again
      </Action>
      <Action onAct={async () => onClear()}>Clear</Action>
    </div>
  )
}

async function repeat(run: ListedRun): Promise<void> {
  const again = createRepeat(run, run.kind === 'turn' ? undefined : await readPayload(run.id))
  if (again === undefined) throw new Error('A run of this kind cannot be repeated.')
  await again()
}

async function readPayload(runId: string): Promise<unknown> {
  return (await read(api.GET('/api/runs/{runId}/timeline', { params: { path: { runId } } }))).job?.payload
}

/** Changes each of the runs. Returns the reasons why some were not changed. */
async function changeAll(runs: readonly ListedRun[], change: (run: ListedRun) => Promise<unknown>): Promise<string[]> {
  const waiting = [...runs]
  const faults: string[] = []
  const work = async (): Promise<void> => {
    for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) {
      try {
        await change(run)
      } catch (error) {
        faults.push(explain(error))
      }
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return faults
}

function runsInWords(count: number): string {
  return count === 1 ? '1 run' : `${count} runs`
}
