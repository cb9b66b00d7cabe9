import { Link } from '@tanstack/react-router'
import { useCredential } from '../access/credential.ts'

type Entry = { to: string; label: string }

const groups: { title: string; entries: Entry[] }[] = [
  {
    title: 'Work',
    entries: [
      { to: '/chat', label: 'Chat' },
      { to: '/runs', label: 'Runs' },
      { to: '/tasks', label: 'Tasks' },
    ],
  },
  {
    title: 'Music business',
    entries: [
      { to: '/artists', label: 'Artists' },
      { to: '/catalogs', label: 'Catalogs' },
      { to: '/valuation', label: 'Valuation' },
      { to: '/scraping', label: 'Scraping' },
      { to: '/music', label: 'Music' },
      { to: '/content', label: 'Content' },
      { to: '/templates', label: 'Templates' },
      { to: '/projects', label: 'Projects' },
    ],
  },
  {
    title: 'Account',
    entries: [
      { to: '/money', label: 'Money' },
      { to: '/keys', label: 'Keys' },
      { to: '/organizations', label: 'Organizations' },
      { to: '/connectors', label: 'Connectors' },
      { to: '/sandboxes', label: 'Sandboxes' },
    ],
  },
]

const adminEntries: Entry[] = [{ to: '/operator', label: 'Operator' }]

export function Navigation({ onChoose }: { onChoose?: () => void }) {
  const { isAdmin } = useCredential()
  const shown = isAdmin ? [...groups, { title: 'Deployment', entries: adminEntries }] : groups
  return (
    <nav aria-label="Console" className="navigation">
      {shown.map(({ title, entries }) => (
        <div key={title}>
          <h2>{title}</h2>
          <ul>
            {entries.map(({ to, label }) => (
              <li key={to}>
                <Link to={to} {...(onChoose && { onClick: onChoose })}>
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
