import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../access/api.ts'
import { useCredential } from '../access/credential.ts'
import { refresh } from '../access/queries.ts'
import { saveDraft, newChatKey } from '../chat/drafts.ts'
import { Action } from '../parts/buttons/action.tsx'
import { useOffsetList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Fold, Page } from '../parts/page.tsx'
import { TemplateForm } from './template-form.tsx'

const route = '/api/agents/templates'
const templateRoute = `${route}/{id}` as const

export function TemplatesPage() {
  const navigate = useNavigate()
  const { accountId } = useCredential()
  const [editedId, setEditedId] = useState<string>()
  const list = useOffsetList(
    ['templates'],
    (query) => api.GET(route, { query }),
    ({ templates }) => templates,
  )
  const startChat = async (prompt: string): Promise<void> => {
    saveDraft(newChatKey, { text: prompt })
    await navigate({ to: '/chat' })
  }
  const finish = async (change: Promise<unknown>): Promise<void> => {
    await change
    setEditedId(undefined)
    await refresh('templates')
  }
  return (
    <Page title="Templates" lead="Reusable prompts: your own templates, and templates that others share with you.">
      <Fold title="New template">
        <TemplateForm onSubmit={(body) => finish(api.POST(route, { body }))} />
      </Fold>
      <Rows list={list} empty="No templates yet. Open “New template” to save your first prompt.">
        {(templates) => (
          <ul className="cards">
            {templates.map((template) => {
              const { id, title, description, prompt, tags, creator, is_favourite: isFavourite } = template
              const isMine = creator?.id === accountId
              const path = { id }
              return (
                <li key={id}>
                  <h2>{title}</h2>
                  <p>{description}</p>
                  <p className="quiet">
                    {[
                      isMine ? 'yours' : (creator?.name ?? 'shared'),
                      template.is_private ? 'private' : 'public',
                      `${template.favorites_count} favorites`,
                      ...tags,
                    ].join(' · ')}
                  </p>
                  <details>
                    <summary>Prompt</summary>
                    <p className="verbatim">{prompt}</p>
                  </details>
                  <div className="buttons">
                    <Action name="Use in a chat" onAct={() => startChat(prompt)} />
                    <Action
                      name={isFavourite ? '★ Favorite' : '☆ Favorite'}
                      onAct={() =>
                        finish(api.PUT(`${templateRoute}/favorite`, { path, body: { is_favourite: !isFavourite } }))
                      }
                    />
                    {isMine && (
                      <>
                        <Action name="Edit" onAct={() => setEditedId(editedId === id ? undefined : id)} />
                        <Action
                          name="Delete"
                          confirm="Delete this template?"
                          onAct={() => finish(api.DELETE(templateRoute, { path }))}
                        />
                      </>
                    )}
                  </div>
                  {editedId === id && (
                    <TemplateForm
                      template={template}
                      onSubmit={(body) => finish(api.PATCH(templateRoute, { path, body }))}
                    />
                  )}
                </li>
              )
            })}
          </ul>
        )}
      </Rows>
    </Page>
  )
}
