import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Form, TextField } from '../parts/form.tsx'
import { pageSize, useOffsetList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { Time } from '../parts/words.tsx'

export { ProjectPage } from './project.tsx'

export function ProjectsPage() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const list = useOffsetList({
    key: ['projects'],
    fetchPage: async (offset) => {
      const { projects } = await read(api.GET('/api/projects', { params: { query: { limit: pageSize, offset } } }))
      return { rows: projects }
    },
  })
  return (
    <Page title="Projects" lead="Tasks for people, with assignees, due dates and comments.">
      <details className="fold">
        <summary>New project</summary>
        <Form
          submit="Create"
          onSubmit={async (fields) => {
            const { project } = await read(api.POST('/api/projects', { body: { name: fields.text('name') } }))
            await queries.invalidateQueries({ queryKey: ['projects'] })
            await navigate({ to: '/projects/$projectId', params: { projectId: project.id } })
          }}
        >
          <TextField name="name" label="Name" required maxLength={200} />
        </Form>
      </details>
      <Rows list={list} empty={<p>No projects yet. Open “New project” to create one.</p>}>
        {(projects) => (
          <ul className="cards">
            {projects.map(({ id, name, created_at: at }) => (
              <li key={id}>
                <h2>
                  <Link to="/projects/$projectId" params={{ projectId: id }}>
                    {name}
                  </Link>
                </h2>
                <p className="quiet">
                  Created <Time at={at} />
                </p>
              </li>
            ))}
          </ul>
        )}
      </Rows>
    </Page>
  )
}
