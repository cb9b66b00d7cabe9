import { useSyncExternalStore } from 'react'

/** A value outside of React. Components that call `use` re-render when it changes. */
export type Store<T> = {
  get(): T
  set(next: T): void
  use(): T
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  const get = (): T => value
  const subscribe = (onChange: () => void) => {
    listeners.add(onChange)
    return () => listeners.delete(onChange)
  }
  return {
    get,
    set: (next) => {
      value = next
      for (const onChange of listeners) onChange()
    },
    use: () => useSyncExternalStore(subscribe, get),
  }
}
