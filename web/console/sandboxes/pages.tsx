import { useActing } from '../access/acting.ts'
import { Page } from '../parts/page.tsx'
import { PersonalSandbox } from './personal.tsx'
import { SessionSandboxes } from './session-sandboxes.tsx'

export function SandboxesPage() {
  const acting = useActing()
  return (
    <Page
      title="Sandboxes"
      lead="The agent runs its commands in sandboxes. Each session has one, which stops while it is idle; the account has a personal one."
    >
      <PersonalSandbox />
      {acting === undefined && <SessionSandboxes />}
    </Page>
  )
}
