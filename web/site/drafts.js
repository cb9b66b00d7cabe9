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

/** Keeps a draft for the contact page of this tab, for an hour. Throws where there is no storage. */
export function keepDraft({ interest, message }) {
  sessionStorage.setItem(key, JSON.stringify({ draft: { interest, message }, expiresAt: Date.now() + hourMs }))
}

/** The draft that was kept, if it is still valid; what is not is removed. */
export function findDraft() {
  try {
    const { draft, expiresAt } = JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? {}
    const leftMs = expiresAt - Date.now()
    if (isDraft(draft) && leftMs > 0 && leftMs <= hourMs)
      return { interest: draft.interest, message: draft.message, leftMs }
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
    // Without storage nothing was kept.
  }
}
