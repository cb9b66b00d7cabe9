import { ActionIcon, Alert, Burger } from '@mantine/core'
import IconLayoutSidebarLeftCollapse from '@tabler/icons-react/icons/IconLayoutSidebarLeftCollapse'
import IconLayoutSidebarLeftExpand from '@tabler/icons-react/icons/IconLayoutSidebarLeftExpand'
import IconUserCircle from '@tabler/icons-react/icons/IconUserCircle'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useActingAccount } from '../access/acting.ts'
import { serviceName } from '../access/settings.ts'
import { useOpenDialog } from '../parts/dialogs/dialogs.ts'
import { PaletteOpener } from '../palette/opener.tsx'
import { LazyMenu } from '../parts/buttons/lazy-menu.tsx'
import { useToasts } from '../parts/toasts/toasts.ts'
import { AccountSwitch } from './account-switch.tsx'
import { PageBreadcrumbs } from './breadcrumbs.tsx'
import { isWithin, Navigation } from './navigation.tsx'
import { useOnline } from './online.ts'

// Dialogs load on first use, which keeps the initial bundle small.
const QuestionDialog = lazy(async () => ({
  default: (await import('../parts/dialogs/question-dialog.tsx')).QuestionDialog,
}))
const ToastList = lazy(async () => ({ default: (await import('../parts/toasts/toast-list.tsx')).ToastList }))
const UserMenu = lazy(async () => ({ default: (await import('./user-menu.tsx')).UserMenu }))

export function Layout() {
  const [isOpen, setOpen] = useState(false)
  const [isCollapsed, setCollapsed] = useState(false)
  const location = useLocation()
  const { pathname } = location
  const content = useFocusOnNavigation(pathname, location.state.__TSR_key ?? '')
  const actingAccount = useActingAccount()
  const ToggleIcon = isCollapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <div className="shell" data-collapsed={isCollapsed}>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="top">
        <Burger
          className="menu"
          size="sm"
          opened={isOpen}
          aria-label="Menu"
          aria-expanded={isOpen}
          aria-controls="side"
          onClick={() => setOpen(!isOpen)}
        />
        <ActionIcon
          className="collapse"
          variant="subtle"
          color="gray"
          aria-label={isCollapsed ? 'Expand the sidebar' : 'Collapse the sidebar'}
          onClick={() => setCollapsed(!isCollapsed)}
        >
          <ToggleIcon aria-hidden size={20} stroke={1.6} />
        </ActionIcon>
        <PageBreadcrumbs />
        <PaletteOpener />
        <LazyMenu
          label="Account menu"
          variant="subtle"
          color="gray"
          size="lg"
          icon={<IconUserCircle aria-hidden size={22} stroke={1.6} />}
        >
          {(button) => <UserMenu button={button} />}
        </LazyMenu>
      </header>
      <aside className="side" id="side" data-open={isOpen} aria-label="Sidebar">
        <Link to="/" className="brand" aria-label={serviceName}>
          <span className="mark" aria-hidden="true" />
          <span className="brand-name">{serviceName}</span>
        </Link>
        <AccountSwitch />
        <Navigation isCollapsed={isCollapsed} onChoose={() => setOpen(false)} />
      </aside>
      <main id="content" tabIndex={-1} ref={content}>
        <OfflineNotice />
        <ActingNotice pathname={pathname} />
        <Outlet key={actingAccount?.id} />
      </main>
      <Suspense>
        {useOpenDialog() !== undefined && <QuestionDialog />}
        {useToasts() !== undefined && <ToastList />}
      </Suspense>
    </div>
  )
}

/**
 * Moves the focus to a new page, so that screen readers announce it like a page load. Restores the scroll position when
 * the user goes back. `entry`: key of the entry in the browser's history.
 */
function useFocusOnNavigation(pathname: string, entry: string) {
  const content = useRef<HTMLElement>(null)
  const previousPath = useRef(pathname)
  const currentEntry = useRef(entry)
  const positions = useRef(new Map<string, number>())
  useEffect(() => {
    currentEntry.current = entry
    const main = content.current
    const save = (): void => void positions.current.set(currentEntry.current, main?.scrollTop ?? 0)
    main?.addEventListener('scrollend', save)
    return () => main?.removeEventListener('scrollend', save)
  }, [entry])
  useEffect(() => {
    if (previousPath.current === pathname) return
    previousPath.current = pathname
    content.current?.scrollTo(0, positions.current.get(entry) ?? 0)
    if (!content.current?.contains(document.activeElement)) content.current?.focus({ preventScroll: true })
  }, [pathname])
  return content
}

function OfflineNotice() {
  return useOnline() ? null : (
    <Alert className="banner" color="yellow" role="status">
      You are offline. The data may be outdated; it is refreshed when the connection returns.
    </Alert>
  )
}

/** Pages that always show the signed-in account. */
const personalPages = [
  '/chat',
  '/inbox',
  '/files',
  '/templates',
  '/projects',
  '/account',
  '/keys',
  '/organizations',
  '/operator',
]

function ActingNotice({ pathname }: { pathname: string }) {
  const actingAccount = useActingAccount()
  if (actingAccount === undefined) return null
  return (
    <Alert className="banner" color="blue" role="status">
      {personalPages.some((path) => isWithin(pathname, path)) ? (
        'This page always shows your own account.'
      ) : (
        <>
          You are acting for <strong>{actingAccount.name}</strong>. The pages show the data of this account, and
          everything that you create belongs to it.
        </>
      )}
    </Alert>
  )
}
