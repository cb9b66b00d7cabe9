import { Alert, Button, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { explain } from '../access/failure.ts'

export function NotFoundPage() {
  return (
    <div className="page">
      <Title order={1}>Page not found</Title>
      <p>
        There is no page at this URL. <Link to="/chat">Go to your chats</Link>, or choose another page in the menu.
      </p>
    </div>
  )
}

/** Shown if a page fails to render, or if a deployment has removed its script. */
export function ErrorPage({ error }: { error: unknown }) {
  return (
    <div className="page">
      <Title order={1}>This page could not be displayed</Title>
      <Alert color="red">{explain(error)}</Alert>
      <p>A newer version of the console may be available. Reload the page to get it.</p>
      <Button onClick={() => location.reload()}>Reload</Button>
    </div>
  )
}
