import { createStore } from '../../access/store.ts'

/** Question to the user. With `text`, it has a field that begins with this text; `isLong` gives it several lines. */
type Question = { question: string; verb: string; text?: string; isLong?: boolean }
type OpenQuestion = Question & { answer: (text: string | undefined) => void }

const open = createStore<OpenQuestion | undefined>(undefined)

/** Resolves with the text of the field, or an empty string without a field; undefined if the user cancels. */
export function ask(question: Question): Promise<string | undefined> {
  open.get()?.answer(undefined)
  return new Promise((resolve) => {
    open.set({
      ...question,
      answer: (text) => {
        open.set(undefined)
        resolve(text)
      },
    })
  })
}

export function useOpenQuestion(): OpenQuestion | undefined {
  return open.use()
}
