import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Action } from '../parts/action.tsx'
import { LoadedPage } from '../parts/loaded.tsx'
import { Facts, Page, Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { duration, formatDateTime, Status, Time } from '../parts/words.tsx'
import { describeSchedule } from './describe-schedule.ts'
import { TaskForm, type TaskInput } from './task-form.tsx'

export function TaskPage() {
  const { taskId: id = '' } = useParams({ strict: false })
  const queries = useQueryClient()
  const navigate = useNavigate()
  const query = useQuery({
    queryKey: ['tasks', id],
    queryFn: async () => {
      const [task] = (await read(api.GET('/api/tasks', { params: { query: { id, ...forAccount() } } }))).tasks
      if (task === undefined) throw new Error('This task does not exist.')
      return task
    },
    refetchInterval: 3000,
  })
  const change = async (changes: Partial<TaskInput> & { enabled?: boolean }): Promise<void> => {
    await read(api.PATCH('/api/tasks', { body: { id, ...changes, ...forAccount() } }))
    await queries.invalidateQueries({ queryKey: ['tasks'] })
  }
  const runNow = async (): Promise<void> => {
    const { runId } = await read(api.POST('/api/tasks/runs', { body: { id } }))
    await navigate({ to: '/runs/$runId', params: { runId } })
  }
  const remove = async (): Promise<void> => {
    await read(api.DELETE('/api/tasks', { body: { id } }))
    await queries.invalidateQueries({ queryKey: ['tasks'], exact: true })
    await navigate({ to: '/tasks' })
  }
  return (
    <LoadedPage title="Task" query={query}>
      {(task) => (
        <Page
          title={task.title}
          actions={
            <>
              <Action isPrimary onAct={runNow}>
                Run now
              </Action>
              <Action onAct={() => change({ enabled: task.enabled === false })}>
                {task.enabled === false ? 'Enable' : 'Disable'}
              </Action>
              <Action onAct={remove} confirm="Delete this task? Its past runs remain.">
                Delete
              </Action>
            </>
          }
        >
          <div className="two">
            <Section title="Prompt and schedule">
              <Facts
                facts={[
                  ['Status', <Status key="status" of={task.enabled === false ? 'disabled' : 'active'} />],
                  [
                    'Prompt',
                    <span key="prompt" className="verbatim">
                      {task.prompt}
                    </span>,
                  ],
                  ['Artist', task.artist_name ?? '–'],
                  [
                    'Schedule',
                    `${describeSchedule(task.schedule)} (${task.timezone ?? 'no time zone while disabled'})`,
                  ],
                  ['Cron', <code key="cron">{task.schedule}</code>],
                  ['Owner', task.owner_email ?? '–'],
                ]}
              />
            </Section>
            <Section title="Upcoming runs">
              {task.upcoming.length === 0 ? (
                <p className="quiet">The task is disabled.</p>
              ) : (
                <ol>
                  {task.upcoming.map((at) => (
                    <li key={at}>
                      {formatDateTime(at, task.timezone ?? 'UTC')} <small>({formatDateTime(at)} your time)</small>
                    </li>
                  ))}
                </ol>
              )}
            </Section>
          </div>
          <Section
            title="History"
            actions={
              <Link to="/runs" search={{ task: id }}>
                All runs of this task
              </Link>
            }
          >
            {task.recent_runs.length === 0 ? (
              <p className="empty">No runs yet.</p>
            ) : (
              <Table
                caption="Recent runs"
                rows={task.recent_runs}
                rowKey={({ id }) => id}
                columns={[
                  {
                    name: 'Run',
                    show: (run) => (
                      <Link to="/runs/$runId" params={{ runId: run.id }}>
                        <Time at={run.createdAt} />
                      </Link>
                    ),
                    value: ({ createdAt }) => new Date(createdAt),
                  },
                  { name: 'Status', show: ({ status }) => <Status of={status} />, value: ({ status }) => status },
                  {
                    name: 'Duration',
                    show: ({ durationMs }) => duration(durationMs),
                    value: ({ durationMs }) => durationMs,
                    isNumber: true,
                  },
                ]}
              />
            )}
          </Section>
          <details className="fold">
            <summary>Edit</summary>
            <TaskForm key={task.updated_at} submit="Save" task={task} onSubmit={change} />
          </details>
        </Page>
      )}
    </LoadedPage>
  )
}
