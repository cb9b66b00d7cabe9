import { useActing } from '../access/acting.ts'
import { Page } from '../parts/page.tsx'
import { PersonalSandbox } from './personal.tsx'
import { SessionSandboxes } from './session-sandboxes.tsx'

export function SandboxesPage() {
  const acting = useActing()
  return (
    <Page
      title="Sandboxes"
      lead="Where the agent’s commands run: one for each session, stopped while it is idle, and a personal one."
    >
      <PersonalSandbox />
      {acting === undefined && <SessionSandboxes />}
    </Page>
  )
}
