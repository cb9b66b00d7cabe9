import { Link, useNavigate } from '@tanstack/react-router'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { refreshAfter } from '../access/queries.ts'
import { useOffsetList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Fold, Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Status } from '../parts/words.tsx'
import { describeSchedule } from './describe-schedule.ts'
import { TaskForm } from './task-form.tsx'

export { TaskPage } from './task.tsx'

export function TasksPage() {
  const navigate = useNavigate()
  const list = useOffsetList(
    ['tasks'],
    (range) => api.GET('/api/tasks', { query: { ...range, ...forAccount() } }),
    ({ tasks }) => tasks,
    10_000,
  )
  return (
    <Page title="Tasks" lead="Work that an agent does on a schedule.">
      <Fold title="New task">
        <TaskForm
          submit="Create task"
          onSubmit={async (body) => {
            const creation = api.POST('/api/tasks', { body: { ...body, ...forAccount() } })
            const { tasks } = await refreshAfter(creation, 'tasks')
            await navigate({ to: `/tasks/${tasks[0]?.id}` })
          }}
        />
      </Fold>
      <Rows list={list} empty={<NoTasks />}>
        {(tasks) => (
          <Table
            caption="Tasks"
            rows={tasks}
            rowKey={({ id }) => id}
            list={list}
            tools="all"
            columns={[
              {
                name: 'Title',
                show: ({ id, title }) => <Link to={`/tasks/${id}`}>{title}</Link>,
                value: ({ title }) => title,
              },
              { name: 'Artist', value: ({ artist_name: name }) => name },
              {
                name: 'Schedule',
                show: ({ schedule, timezone }) => (
                  <>
                    {describeSchedule(schedule)} {timezone !== null && <small>{timezone}</small>}
                  </>
                ),
                // The time zone is null while the task is disabled.
                value: ({ schedule, timezone }) => [describeSchedule(schedule), timezone].filter(Boolean).join(', '),
              },
              { name: 'Next run', value: ({ upcoming: [next] }) => next && new Date(next) },
              {
                name: 'Last run',
                show: ({ recent_runs: [last] }) => (last === undefined ? '–' : <Status of={last.status} />),
                value: ({ recent_runs: [last] }) => last?.status,
              },
              { name: 'State', show: (task) => <Status of={formatState(task)} />, value: formatState },
            ]}
          />
        )}
      </Rows>
    </Page>
  )
}

function formatState({ enabled }: { enabled: boolean | null }): string {
  return enabled === false ? 'off' : 'active'
}

function NoTasks() {
  return (
    <>
      No tasks yet. A task sends a prompt to an agent on a schedule, such as “Summarize the artist’s new posts” every
      Monday. Open “New task” above to create one. Its runs appear here and under <Link to="/runs">Runs</Link>.
    </>
  )
}
