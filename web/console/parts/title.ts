import { useEffect } from 'react'
import { serviceName } from '../access/settings.ts'
import { createStore } from '../access/store.ts'

const currentTitle = createStore('')

export function useSetPageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${serviceName}`
    currentTitle.set(title)
  }, [title])
}

/** Returns the title of the current page. */
export function usePageTitle(): string {
  return currentTitle.use()
}
