import { Button, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../access/api.ts'
import { refresh, refreshAfter, useGet } from '../../access/queries.ts'
import { Action } from '../../parts/buttons/action.tsx'
import { Dialog } from '../../parts/dialogs/dialog.tsx'
import { CheckField } from '../../parts/check-field.tsx'
import { Form, SelectField, type Fields } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { copyText } from '../../parts/toasts/toasts.ts'
import { formatDateTime } from '../../parts/words.tsx'
import type { ChatIds } from '../live/turn-request.ts'

const route = '/api/sessions/{sessionId}/chats/{chatId}/shares'

type Props = { chatIds: ChatIds; onClose: () => void }

/** Creates and revokes read-only links to the current state of the chat. The URL of a link is shown only once. */
export function ShareDialog({ chatIds, onClose }: Props) {
  const [url, setUrl] = useState<string>()
  const shares = useGet('shares', route, { path: chatIds }, { select: ({ shares }) => shares })
  const create = async (fields: Fields): Promise<void> => {
    const body = { expiresInDays: fields.number('days') ?? 30, toolOutputs: fields.isOn('tools') }
    setUrl((await api.POST(route, { path: chatIds, body })).url)
    await refresh('shares')
  }
  const revoke = (shareId: string): Promise<unknown> =>
    refreshAfter(api.DELETE(`${route}/{shareId}`, { path: { ...chatIds, shareId } }), 'shares')
  return (
    <Dialog title="Share this chat" onClose={onClose}>
      <Text size="sm" c="dimmed" mb="sm">
        Anyone with the link can read the chat as it is now, until the link expires or you revoke it.
      </Text>
      <Form submit="Create a link" onSubmit={create}>
        <SelectField name="days" label="Expires after" defaultValue="30">
          <option value="1">1 day</option>
          <option value="7">7 days</option>
          <option value="30">30 days</option>
          <option value="365">365 days</option>
        </SelectField>
        <CheckField name="tools" label="Include tool inputs and results" />
      </Form>
      {url !== undefined && <NewLink url={url} />}
      <Loaded query={shares}>
        {(links) =>
          links.length > 0 && (
            <ul className="plain-list links" aria-label="Links">
              {links.map(({ id, expiresAt, toolOutputs }) => (
                <li key={id}>
                  <span>
                    Expires {formatDateTime(expiresAt)}
                    {toolOutputs && ', with tool inputs and results'}
                  </span>
                  <Action name="Revoke" onAct={() => revoke(id)} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  )
}

function NewLink({ url }: { url: string }) {
  return (
    <Group gap="xs" align="end" mt="md" wrap="nowrap">
      <TextInput readOnly label="Link, shown once" value={url} flex={1} onFocus={({ target }) => target.select()} />
      <Button variant="default" onClick={() => void copyText(url)}>
        Copy
      </Button>
    </Group>
  )
}
