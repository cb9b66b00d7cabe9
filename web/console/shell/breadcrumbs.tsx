import { Breadcrumbs } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { usePageTitle } from '../parts/title.ts'
import { isWithin, useNavigationGroups } from './navigation.tsx'

/** Breadcrumbs of the current page: its section and its title. */
export function PageBreadcrumbs() {
  const { pathname } = useLocation()
  const title = usePageTitle()
  const section = useNavigationGroups()
    .flatMap(({ entries }) => entries)
    .find(({ to }) => isWithin(pathname, to))
  const isSection = section === undefined || pathname === section.to
  return (
    <nav aria-label="Breadcrumbs" className="trail">
      <Breadcrumbs>
        {!isSection && <Link to={section.to}>{section.label}</Link>}
        <span aria-current="page">{isSection ? (section?.label ?? title) : title}</span>
      </Breadcrumbs>
    </nav>
  )
}
