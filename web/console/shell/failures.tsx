import { Alert, Button, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { explain } from '../access/failure.ts'

export function UnknownPage() {
  return (
    <div className="page">
      <Title order={1}>Page not found</Title>
      <p>
        This address does not exist. <Link to="/chat">Go to your chats</Link>, or choose another page in the menu.
      </p>
    </div>
  )
}

/** Shown for a page that failed to render, or whose script was removed by a deployment. */
export function BrokenPage({ error }: { error: unknown }) {
  return (
    <div className="page">
      <Title order={1}>This page failed</Title>
      <Alert color="red">{explain(error)}</Alert>
      <p>A newer version of the console may be available. Reload the page to get it.</p>
      <Button onClick={() => location.reload()}>Reload</Button>
    </div>
  )
}
