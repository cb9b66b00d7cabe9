import { useSyncExternalStore } from 'react'

export type Toast = { id: number; message: string; isFault: boolean }

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** Shows that an action succeeded. */
export function showDone(message: string): void {
  add(message, false)
}

/** Shows the error of an action whose place has no room for it. */
export function showFault(message: string): void {
  add(message, true)
}

/** Toasts that wait to be shown. */
export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, () => toasts)
}

export function useHasToasts(): boolean {
  return useSyncExternalStore(subscribe, () => lastId > 0)
}

/** Returns the waiting toasts and forgets them, so that each is shown once. */
export function takeToasts(): readonly Toast[] {
  const taken = toasts
  set([])
  return taken
}

function add(message: string, isFault: boolean): void {
  lastId += 1
  set([...toasts, { id: lastId, message, isFault }])
}

function set(next: readonly Toast[]): void {
  toasts = next
  for (const onChange of listeners) onChange()
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange)
  return () => listeners.delete(onChange)
}
