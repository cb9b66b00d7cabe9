import { Link } from '@tanstack/react-router'
import { explain } from '../access/failure.ts'

export function UnknownPage() {
  return (
    <div className="page">
      <h1>There is no such page</h1>
      <p>
        The address leads nowhere. <Link to="/chat">Go to your chats</Link>, or choose another page in the menu.
      </p>
    </div>
  )
}

/** A page that failed while it was drawn, or whose script is not there any more after a deploy. */
export function BrokenPage({ error }: { error: unknown }) {
  return (
    <div className="page">
      <h1>This page broke</h1>
      <p role="alert">{explain(error)}</p>
      <p>A newer version of the console may be there. Loading the page again gets it; you sign in again.</p>
      <button type="button" onClick={() => location.reload()}>
        Load again
      </button>
    </div>
  )
}
