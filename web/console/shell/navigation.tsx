import { Badge, NavLink, Text } from '@mantine/core'
import IconBooks from '@tabler/icons-react/icons/IconBooks'
import IconBox from '@tabler/icons-react/icons/IconBox'
import IconBuilding from '@tabler/icons-react/icons/IconBuilding'
import IconCalendarRepeat from '@tabler/icons-react/icons/IconCalendarRepeat'
import IconChecklist from '@tabler/icons-react/icons/IconChecklist'
import IconCoin from '@tabler/icons-react/icons/IconCoin'
import IconInbox from '@tabler/icons-react/icons/IconInbox'
import IconGauge from '@tabler/icons-react/icons/IconGauge'
import IconKey from '@tabler/icons-react/icons/IconKey'
import IconMessages from '@tabler/icons-react/icons/IconMessages'
import IconMicrophone2 from '@tabler/icons-react/icons/IconMicrophone2'
import IconMusic from '@tabler/icons-react/icons/IconMusic'
import IconPlug from '@tabler/icons-react/icons/IconPlug'
import IconScale from '@tabler/icons-react/icons/IconScale'
import IconTemplate from '@tabler/icons-react/icons/IconTemplate'
import IconTimeline from '@tabler/icons-react/icons/IconTimeline'
import IconUser from '@tabler/icons-react/icons/IconUser'
import IconVideo from '@tabler/icons-react/icons/IconVideo'
import IconWorldSearch from '@tabler/icons-react/icons/IconWorldSearch'
import { Link, useLocation } from '@tanstack/react-router'
import { useCredential } from '../access/credential.ts'
import { maxWaitingRuns, useWaitingRuns } from '../inbox/waiting.ts'

type Entry = { to: string; label: string; Icon: typeof IconBox }

const groups: { title: string; entries: Entry[] }[] = [
  {
    title: 'Work',
    entries: [
      { to: '/chat', label: 'Chat', Icon: IconMessages },
      { to: '/inbox', label: 'Waiting for you', Icon: IconInbox },
      { to: '/runs', label: 'Runs', Icon: IconTimeline },
      { to: '/tasks', label: 'Tasks', Icon: IconCalendarRepeat },
    ],
  },
  {
    title: 'Music business',
    entries: [
      { to: '/artists', label: 'Artists', Icon: IconMicrophone2 },
      { to: '/catalogs', label: 'Catalogs', Icon: IconBooks },
      { to: '/valuation', label: 'Valuation', Icon: IconScale },
      { to: '/scraping', label: 'Scraping', Icon: IconWorldSearch },
      { to: '/music', label: 'Music', Icon: IconMusic },
      { to: '/content', label: 'Content', Icon: IconVideo },
      { to: '/templates', label: 'Templates', Icon: IconTemplate },
      { to: '/projects', label: 'Projects', Icon: IconChecklist },
    ],
  },
  {
    title: 'Account',
    entries: [
      { to: '/money', label: 'Billing', Icon: IconCoin },
      { to: '/account', label: 'Your account', Icon: IconUser },
      { to: '/keys', label: 'Keys', Icon: IconKey },
      { to: '/organizations', label: 'Organizations', Icon: IconBuilding },
      { to: '/connectors', label: 'Connectors', Icon: IconPlug },
      { to: '/sandboxes', label: 'Sandboxes', Icon: IconBox },
    ],
  },
]

const deployment = { title: 'Deployment', entries: [{ to: '/operator', label: 'Operator', Icon: IconGauge }] }

/** Groups of pages that the signed-in account can open. */
export function useNavigationGroups() {
  const { isAdmin } = useCredential()
  return isAdmin ? [...groups, deployment] : groups
}

/** True if `pathname` is the page `to` or a page under it. */
export function isWithin(pathname: string, to: string): boolean {
  return pathname === to || pathname.startsWith(`${to}/`)
}

type Props = { isCollapsed: boolean; onChoose: () => void }

export function Navigation({ isCollapsed, onChoose }: Props) {
  const { pathname } = useLocation()
  return (
    <nav aria-label="Console" className="navigation">
      {useNavigationGroups().map(({ title, entries }) => (
        <div key={title}>
          <Text component="h2" size="xs" fw={600} c="dimmed" className="group">
            {title}
          </Text>
          {entries.map(({ to, label, Icon }) => (
            <NavLink
              key={to}
              label={label}
              {...(isCollapsed && { title: label })}
              leftSection={<Icon aria-hidden size={18} stroke={1.6} />}
              {...(to === '/inbox' && { rightSection: <WaitingCount /> })}
              active={isWithin(pathname, to)}
              renderRoot={(props) => <Link to={to} {...props} onClick={onChoose} />}
            />
          ))}
        </div>
      ))}
    </nav>
  )
}

function WaitingCount() {
  const count = useWaitingRuns().data?.length ?? 0
  if (count === 0) return null
  return (
    <Badge color="yellow" size="sm" aria-label={`${count} waiting`}>
      {count < maxWaitingRuns ? count : `${maxWaitingRuns}+`}
    </Badge>
  )
}
