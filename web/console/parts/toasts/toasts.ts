import type { Remedy } from '../../access/failure.ts'
import { createStore } from '../../access/store.ts'

export type Toast = { id: number; message: string; isFault: boolean; remedy?: Remedy | undefined }

const toasts = createStore<readonly Toast[]>([])
const lastId = createStore(0)

/** Shows that an action succeeded. */
export function showDone(message: string): void {
  add(message, false)
}

/** Shows the error of an action whose place has no room for it, with a link that resolves it. */
export function showFault(message: string, remedy?: Remedy): void {
  add(message, true, remedy)
}

/** Toasts that wait to be shown. */
export function useToasts(): readonly Toast[] {
  return toasts.use()
}

export function useHasToasts(): boolean {
  return lastId.use() > 0
}

/** Returns the waiting toasts and forgets them, so that each is shown once. */
export function takeToasts(): readonly Toast[] {
  const taken = toasts.get()
  toasts.set([])
  return taken
}

function add(message: string, isFault: boolean, remedy?: Remedy): void {
  const id = lastId.get() + 1
  lastId.set(id)
  toasts.set([...toasts.get(), { id, message, isFault, remedy }])
}
