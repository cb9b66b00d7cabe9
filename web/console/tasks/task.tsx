import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { refreshAfter, useGet } from '../access/queries.ts'
import { Action } from '../parts/buttons/action.tsx'
import { LoadedPage } from '../parts/loaded.tsx'
import { Facts, Fold, Page, Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { duration, formatDateTime, Status, Time } from '../parts/words.tsx'
import { describeSchedule } from './describe-schedule.ts'
import { TaskForm, type TaskInput } from './task-form.tsx'

export function TaskPage() {
  const { taskId: id = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const input = { query: { id, ...forAccount() } }
  const query = useGet('task', '/api/tasks', input, {
    select: ({ tasks: [task] }) => {
      if (task === undefined) throw new Error('This task does not exist.')
      return task
    },
    refetchInterval: 3000,
  })
  const change = (changes: Partial<TaskInput> & { enabled?: boolean }): Promise<unknown> =>
    refreshAfter(api.PATCH('/api/tasks', { body: { id, ...changes, ...forAccount() } }), 'tasks', 'task')
  const runNow = async (): Promise<void> => {
    const { runId } = await api.POST('/api/tasks/runs', { body: { id } })
    await navigate({ to: `/runs/${runId}` })
  }
  const remove = async (): Promise<void> => {
    await refreshAfter(api.DELETE('/api/tasks', { body: { id } }), 'tasks')
    await navigate({ to: '/tasks' })
  }
  return (
    <LoadedPage title="Task" query={query}>
      {(task) => (
        <Page
          title={task.title}
          actions={
            <>
              <Action name="Run now" isPrimary onAct={runNow} />
              <Action
                name={task.enabled === false ? 'Enable' : 'Disable'}
                onAct={() => change({ enabled: task.enabled === false })}
              />
              <Action name="Delete" confirm="Delete this task? Its past runs remain." onAct={remove} />
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
                      <Link to={`/runs/${run.id}`}>
                        <Time at={run.createdAt} />
                      </Link>
                    ),
                    value: ({ createdAt }) => new Date(createdAt),
                  },
                  { name: 'Status', show: ({ status }) => <Status of={status} />, value: ({ status }) => status },
                  { name: 'Duration', value: ({ durationMs }) => durationMs, format: duration },
                ]}
              />
            )}
          </Section>
          <Fold title="Edit">
            <TaskForm key={task.updated_at} submit="Save" task={task} onSubmit={change} />
          </Fold>
        </Page>
      )}
    </LoadedPage>
  )
}
