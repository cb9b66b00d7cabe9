import { currentCredential } from './credential.ts'

/** `POST /api/chat` takes keys only. */
export async function chatKey(): Promise<string> {
  const by = currentCredential()?.by
  if (by === undefined || !('key' in by)) throw new Error('Sign in to send this.')
  return by.key
}
