import { Link, useNavigate } from '@tanstack/react-router'
import { api } from '../access/api.ts'
import { refreshAfter } from '../access/queries.ts'
import { Form, TextField } from '../parts/form.tsx'
import { useOffsetList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Fold, Page } from '../parts/page.tsx'
import { Time } from '../parts/words.tsx'

export { ProjectPage } from './project.tsx'

export function ProjectsPage() {
  const navigate = useNavigate()
  const list = useOffsetList(
    ['projects'],
    (query) => api.GET('/api/projects', { query }),
    ({ projects }) => projects,
  )
  return (
    <Page title="Projects" lead="Tasks for people, with assignees, due dates and comments.">
      <Fold title="New project">
        <Form
          submit="Create"
          onSubmit={async (fields) => {
            const body = { name: fields.text('name') }
            const { project } = await refreshAfter(api.POST('/api/projects', { body }), 'projects')
            await navigate({ to: `/projects/${project.id}` })
          }}
        >
          <TextField name="name" label="Name" required maxLength={200} />
        </Form>
      </Fold>
      <Rows list={list} empty="No projects yet. Open “New project” to create one.">
        {(projects) => (
          <ul className="cards">
            {projects.map(({ id, name, created_at: at }) => (
              <li key={id}>
                <h2>
                  <Link to={`/projects/${id}`}>{name}</Link>
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
