import { useActingAccount } from '../access/acting.ts'
import { Page } from '../parts/page.tsx'
import { PersonalSandbox } from './personal.tsx'
import { SessionSandboxes } from './session-sandboxes.tsx'

export function SandboxesPage() {
  const actingAccount = useActingAccount()
  return (
    <Page
      title="Sandboxes"
      lead="Agents run commands in sandboxes. Each session has its own sandbox, which hibernates when idle; the account has a personal sandbox."
    >
      <PersonalSandbox />
      {actingAccount === undefined && <SessionSandboxes />}
    </Page>
  )
}
