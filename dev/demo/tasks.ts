import { connectDemo, createChangePrinter, poll, printHeading, type Demo } from './client.ts'
import { CommandRefusedError, print } from '../say.ts'

type Task = { id: string; title: string; upcoming: string[]; recent_runs: Run[] }
type Run = {
  id: string
  status: string
  metadata: { sessionId: string; chatId: string; workflowRunId: string } | null
  output: { skipped?: string } | null
  error: { message: string } | null
  costInCents: number
  createdAt: string
}

const title = 'Demo of scheduled tasks'
const prompt = '$ date -u\n---\n@say This is the report.'
const finalStatuses = ['COMPLETED', 'FAILED', 'CANCELED', 'CRASHED', 'SYSTEM_FAILURE']
/** Minimum time before the first scheduled run, in which the demo creates the task and runs it manually. */
const leadMs = 60_000

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** `npm run demo:tasks`: creates a scheduled task, runs it manually, waits for its scheduled run and deletes it. */
export async function main(): Promise<void> {
  const demo = await connectDemo()
  await removeLeftovers(demo)
  const { json, send } = demo
  const { artist } = await json<{ artist: { id: string } }>('POST', '/api/artists', { name: 'Demo artist' })
  const sessions = new Set<string>()
  let taskId: string | undefined
  try {
    const schedule = cronSoon(new Date())
    printHeading(`A task: "${schedule}" in ${timeZone}`)
    const body = { title, prompt, schedule, timezone: timeZone, artist_account_id: artist.id }
    const { tasks } = await json<{ tasks: Task[] }>('POST', '/api/tasks', body)
    taskId = tasks[0]?.id ?? ''
    print(`task ${taskId}; its next runs are at`)
    for (const time of tasks[0]?.upcoming ?? []) print(`  ${formatTime(time)}`)
    await showRuns(demo, taskId, sessions)
  } finally {
    printHeading('Everything is deleted')
    if (taskId !== undefined) await send('DELETE', '/api/tasks', { id: taskId })
    for (const id of sessions) await send('DELETE', `/api/sessions/${id}`)
    await send('DELETE', `/api/artists/${artist.id}`)
  }
  printHeading('Done')
}

/** Deletes the tasks of an interrupted demo. */
async function removeLeftovers({ json, send }: Demo): Promise<void> {
  const { tasks } = await json<{ tasks: Task[] }>('GET', '/api/tasks')
  for (const task of tasks.filter((task) => task.title === title)) await send('DELETE', '/api/tasks', { id: task.id })
}

/** Returns a weekly cron expression, which every plan allows, that first fires in one to two minutes. */
function cronSoon(now: Date): string {
  const firstRun = new Date(now.getTime() + leadMs + 60_000)
  const options = { timeZone, hourCycle: 'h23', weekday: 'short', hour: 'numeric', minute: 'numeric' } as const
  const parts = new Intl.DateTimeFormat('en-US', options).formatToParts(firstRun)
  const readPart = (type: string): string => parts.find((part) => part.type === type)?.value ?? ''
  const weekday = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(readPart('weekday'))
  return `${Number(readPart('minute'))} ${Number(readPart('hour'))} * * ${weekday}`
}

function formatTime(time: string | Date): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'long' }).format(new Date(time))
}

async function showRuns(demo: Demo, taskId: string, sessions: Set<string>): Promise<void> {
  printHeading('Run now, without waiting for the schedule')
  const { runId } = await demo.json<{ runId: string }>('POST', '/api/tasks/runs', { id: taskId })
  print(`run ${runId}`)
  await follow(demo, runId, sessions)

  const dueAt = (await readTask(demo, taskId)).upcoming[0] ?? ''
  printHeading(`On its schedule: due ${formatTime(dueAt)}`)
  const run = await awaitScheduledRun(demo, taskId, runId, dueAt)
  print(`run ${run.id}, recorded ${new Date(run.createdAt).getTime() - new Date(dueAt).getTime()} ms after it was due`)
  await follow(demo, run.id, sessions)
}

/** Prints the states of a run until it ends, then the output of its agent. */
async function follow(demo: Demo, runId: string, sessions: Set<string>): Promise<void> {
  const show = createChangePrinter()
  const ended = await poll(async () => {
    const [run] = (await demo.json<{ runs: Run[] }>('GET', `/api/tasks/runs?runId=${runId}`)).runs
    if (run === undefined) throw new CommandRefusedError('The run was not found: please report this bug.')
    show(`${run.status}${run.metadata === null ? '' : ` in session ${run.metadata.sessionId}`}`)
    if (run.metadata !== null) sessions.add(run.metadata.sessionId)
    return finalStatuses.includes(run.status) ? run : undefined
  })
  await printRun(demo, ended)
}

async function printRun({ json }: Demo, { status, metadata, error, output, costInCents }: Run): Promise<void> {
  if (status !== 'COMPLETED' || metadata === null)
    throw new CommandRefusedError(`The run did not complete: ${error?.message ?? output?.skipped ?? status}.`)
  type Part = { type: string; text?: string; output?: { stdout?: string } }
  const path = `/api/sessions/${metadata.sessionId}/chats/${metadata.chatId}`
  const { messages } = await json<{ messages: { role: string; parts: Part[] }[] }>('GET', path)
  for (const { type, text, output: result } of messages.at(-1)?.parts ?? []) {
    if (type === 'text') print(`  the agent: ${text}`)
    else if (result?.stdout !== undefined) print(`  its command printed: ${result.stdout.trim()}`)
  }
  print(`  cost: ${costInCents} cents`)
}

async function readTask({ json }: Demo, taskId: string): Promise<Task> {
  const [task] = (await json<{ tasks: Task[] }>('GET', `/api/tasks?id=${taskId}`)).tasks
  if (task === undefined) throw new CommandRefusedError('The task was not found: please report this bug.')
  return task
}

/** Waits for the scheduled run of the task and returns it. */
function awaitScheduledRun(demo: Demo, taskId: string, manualRunId: string, dueAt: string): Promise<Run> {
  const deadline = new Date(dueAt).getTime() + 60_000
  return poll(async () => {
    const run = (await readTask(demo, taskId)).recent_runs.find(({ id }) => id !== manualRunId)
    if (run === undefined && Date.now() > deadline)
      throw new CommandRefusedError('The task was due but did not run: please report this bug.')
    return run
  })
}
