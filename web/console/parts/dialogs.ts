import { useSyncExternalStore } from 'react'

/** Question to the user. With `text`, it has a field that begins with this text. */
type Question = { question: string; verb: string; text?: string }
type OpenQuestion = Question & { answer: (text: string | undefined) => void }

let open: OpenQuestion | undefined
const listeners = new Set<() => void>()

/** Resolves with the text of the field, or an empty text without a field; undefined if the user cancels. */
export function ask(question: Question): Promise<string | undefined> {
  open?.answer(undefined)
  return new Promise((resolve) => {
    setOpen({
      ...question,
      answer: (text) => {
        setOpen(undefined)
        resolve(text)
      },
    })
  })
}

export function useOpenQuestion(): OpenQuestion | undefined {
  return useSyncExternalStore(subscribe, () => open)
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange)
  return () => listeners.delete(onChange)
}

function setOpen(next: OpenQuestion | undefined): void {
  open = next
  for (const onChange of listeners) onChange()
}
