import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { pageSize, useOffsetList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Status, Time } from '../parts/words.tsx'
import { describeSchedule } from './describe-schedule.ts'
import { TaskForm } from './task-form.tsx'

export { TaskPage } from './task.tsx'

export function TasksPage() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const list = useOffsetList({
    key: ['tasks'],
    fetchPage: async (offset) => {
      const { tasks, next_offset: nextOffset } = await read(
        api.GET('/api/tasks', { params: { query: { limit: pageSize, offset, ...forAccount() } } }),
      )
      return { rows: tasks, nextOffset }
    },
    refetchMs: 10_000,
  })
  return (
    <Page title="Tasks" lead="Work that an agent does on a schedule.">
      <details className="fold">
        <summary>New task</summary>
        <TaskForm
          submit="Create task"
          onSubmit={async (body) => {
            const { tasks } = await read(api.POST('/api/tasks', { body: { ...body, ...forAccount() } }))
            await queries.invalidateQueries({ queryKey: ['tasks'] })
            await navigate({ to: '/tasks/$taskId', params: { taskId: tasks[0]?.id ?? '' } })
          }}
        />
      </details>
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
                show: ({ id, title }) => (
                  <Link to="/tasks/$taskId" params={{ taskId: id }}>
                    {title}
                  </Link>
                ),
                value: ({ title }) => title,
              },
              { name: 'Artist', show: ({ artist_name: name }) => name ?? '–', value: ({ artist_name: name }) => name },
              {
                name: 'Schedule',
                show: ({ schedule, timezone }) => <Schedule schedule={schedule} timezone={timezone} />,
                value: ({ schedule, timezone }) => [describeSchedule(schedule), timezone].filter(Boolean).join(', '),
              },
              {
                name: 'Next run',
                show: ({ upcoming }) => <Time at={upcoming[0]} />,
                value: ({ upcoming: [next] }) => (next === undefined ? null : new Date(next)),
              },
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

type ScheduleProps = { schedule: string; timezone: string | null }

/** Description of a schedule with its time zone, which is null while the task is disabled. */
function Schedule({ schedule, timezone }: ScheduleProps) {
  return (
    <>
      {describeSchedule(schedule)} {timezone !== null && <small>{timezone}</small>}
    </>
  )
}

function NoTasks() {
  return (
    <p>
      No tasks yet. A task sends a prompt to an agent on a schedule, such as “Summarize the artist’s new posts” every
      Monday. Open “New task” above to create one. Its runs appear here and under <Link to="/runs">Runs</Link>.
    </p>
  )
}
