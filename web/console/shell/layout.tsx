import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useActing } from '../access/acting.ts'
import { signOut, useCredential } from '../access/credential.ts'
import { apiOrigin, serviceName } from '../access/settings.ts'
import { AccountSwitch } from './account-switch.tsx'
import { Navigation } from './navigation.tsx'
import { useOnline } from './online.ts'
import { keepTheme, readTheme, themes, type Theme } from './theme.ts'

export function Layout() {
  const [isOpen, setOpen] = useState(false)
  const { pathname } = useLocation()
  const content = useFocusOnMove(pathname)
  const acting = useActing()
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="top">
        <button
          type="button"
          className="plain menu"
          aria-expanded={isOpen}
          aria-controls="side"
          onClick={() => setOpen(!isOpen)}
        >
          Menu
        </button>
        <Link to="/" className="brand">
          {serviceName}
        </Link>
      </header>
      <div className="side" id="side" data-open={isOpen}>
        <AccountSwitch />
        <Navigation onChoose={() => setOpen(false)} />
        <Preferences />
      </div>
      <main id="content" tabIndex={-1} ref={content}>
        <OfflineNotice />
        <ActingNotice pathname={pathname} />
        <Outlet key={acting?.id} />
      </main>
    </div>
  )
}

/** Moves the focus to the new page, so that screen readers announce it as after a page load. */
function useFocusOnMove(pathname: string) {
  const content = useRef<HTMLElement>(null)
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    content.current?.scrollTo(0, 0)
    content.current?.focus({ preventScroll: true })
  }, [pathname])
  return content
}

function OfflineNotice() {
  return useOnline() ? null : (
    <p className="notice offline" role="status">
      You are offline. The data may be outdated; it is refreshed when the connection returns.
    </p>
  )
}

/** Pages that always show the signed-in account. */
const ownPages = ['/chat', '/templates', '/projects', '/keys', '/organizations', '/operator']

function ActingNotice({ pathname }: { pathname: string }) {
  const acting = useActing()
  if (acting === undefined) return null
  const isOwn = ownPages.some((path) => pathname === path || pathname.startsWith(`${path}/`))
  return (
    <p className="notice acting" role="status">
      {isOwn ? (
        'This page always shows your own account.'
      ) : (
        <>
          You are acting for <strong>{acting.name}</strong>: the pages show their data, and what you create belongs to
          them.
        </>
      )}
    </p>
  )
}

function Preferences() {
  const [theme, setTheme] = useState<Theme>(readTheme)
  const { email } = useCredential()
  return (
    <div className="preferences">
      <label>
        Colors
        <select
          value={theme}
          onChange={({ target }) => {
            const chosen = target.value as Theme
            keepTheme(chosen)
            setTheme(chosen)
          }}
        >
          {themes.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <p className="quiet">{email ?? 'Signed in'}</p>
      <div className="buttons">
        <button type="button" className="plain small" onClick={() => signOut()}>
          Sign out
        </button>
        <a href={`${apiOrigin}/reference`}>Reference</a>
      </div>
    </div>
  )
}
