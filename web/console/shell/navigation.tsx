import { Link } from '@tanstack/react-router'
import { useCredential } from '../access/credential.ts'

type Entry = { to: string; words: string }

const groups: { title: string; entries: Entry[] }[] = [
  {
    title: 'Work',
    entries: [
      { to: '/chat', words: 'Chat' },
      { to: '/runs', words: 'Runs' },
      { to: '/tasks', words: 'Tasks' },
    ],
  },
  {
    title: 'Music business',
    entries: [
      { to: '/artists', words: 'Artists' },
      { to: '/catalogs', words: 'Catalogs' },
      { to: '/valuation', words: 'Valuation' },
      { to: '/scraping', words: 'Scraping' },
      { to: '/music', words: 'Music' },
      { to: '/content', words: 'Content' },
      { to: '/templates', words: 'Templates' },
      { to: '/projects', words: 'Projects' },
    ],
  },
  {
    title: 'Account',
    entries: [
      { to: '/money', words: 'Money' },
      { to: '/keys', words: 'Keys' },
      { to: '/organizations', words: 'Organizations' },
      { to: '/connectors', words: 'Connectors' },
      { to: '/sandboxes', words: 'Sandboxes' },
    ],
  },
]

const ofAdmins: Entry[] = [{ to: '/operator', words: 'Operator' }]

export function Navigation({ onChoose }: { onChoose?: () => void }) {
  const { isAdmin } = useCredential()
  const shown = isAdmin ? [...groups, { title: 'Deployment', entries: ofAdmins }] : groups
  return (
    <nav aria-label="Console" className="navigation">
      {shown.map(({ title, entries }) => (
        <div key={title}>
          <h2>{title}</h2>
          <ul>
            {entries.map(({ to, words }) => (
              <li key={to}>
                <Link to={to} {...(onChoose && { onClick: onChoose })}>
                  {words}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
