const key = 'brief-draft:v1'
const hourMs = 60 * 60 * 1000
const interests = new Set(['AI strategy', 'Custom systems', 'Team training', 'Podcast guest', 'Not sure yet'])

export const maxMessage = 5000
export const minMessage = 20

/** @param {unknown} draft */
export function isDraft(draft) {
  if (typeof draft !== 'object' || draft === null) return false
  const { interest, message } = /** @type {Record<string, unknown>} */ (draft)
  if (typeof interest !== 'string' || !interests.has(interest) || typeof message !== 'string') return false
  const length = Array.from(message).length
  return Array.from(message.trim()).length >= minMessage && length <= maxMessage
}

/** Saves a draft for the contact page of this tab, for an hour. Throws if session storage is not available. */
export function saveDraft({ interest, message }) {
  sessionStorage.setItem(key, JSON.stringify({ draft: { interest, message }, expiresAt: Date.now() + hourMs }))
}

/** Returns the saved draft if it is valid and has not expired. Otherwise, removes it and returns undefined. */
export function findDraft() {
  try {
    const { draft, expiresAt } = JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? {}
    const remainingMs = expiresAt - Date.now()
    if (isDraft(draft) && remainingMs > 0 && remainingMs <= hourMs)
      return { interest: draft.interest, message: draft.message, remainingMs }
    removeDraft()
  } catch {
    removeDraft()
  }
  return undefined
}

export function removeDraft() {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Without storage, no draft was saved.
  }
}
