import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import {
  countBranches,
  findPlaced,
  hasMessage,
  insertBranch,
  keepSentId,
  type NewBranch,
  type PlacedMessage,
} from '../../db/sessions/branches.ts'
import type { Tx } from '../../db/postgres/client.ts'
import { listLiveRuns } from '../../db/runs/runs.ts'
import { appendToLog } from '../../db/turns/accept.ts'
import { readHistory } from '../../db/turns/history.ts'
import { findCommitBefore } from '../../db/turns/restore.ts'
import { branchFrame, maxBranches } from '../../domain/chat/branches.ts'
import { toStoredMessage, type RequestMessage, type StoredMessage } from '../../domain/chat/messages.ts'
import { text } from '../../domain/fields/fields.ts'
import { newBranchId } from '../../domain/fields/ids.ts'
import { ApiError } from '../http/errors.ts'

/** Request members that create another version of a message. */
export const versionMembers = {
  trigger: z.enum(['submit-message', 'regenerate-message']).optional(),
  messageId: text(1, 128).optional(),
  editOf: text(1, 128).optional(),
  restoreFiles: z.boolean().optional(),
}

type VersionRequest = z.output<z.ZodObject<typeof versionMembers>> & { messages: RequestMessage[] }
/** A turn to accept, and the message that it writes. */
export type TurnIds = { chatId: string; sessionId: string; runId: string; assistantMessageId: string }

/** A turn that writes another version. Its history is the stored branch, not the history of the request. */
export type Version = {
  branch: NewBranch
  input: RequestMessage[]
  /** The message that replaces another; undefined when a stored one is answered again. */
  userMessage: StoredMessage | undefined
}

/** True if a request may ask for another version. The SDK also sends `messageId` with the answer to a question. */
export function asksAgain({ trigger, messageId, editOf }: VersionRequest): boolean {
  return trigger === 'regenerate-message' || editOf !== undefined || messageId !== undefined
}

/**
 * Creates and selects the branch that the request asks for; undefined when it continues the chat. Call it in the
 * transaction that holds the slot, so that no other request changes the branches.
 */
export async function beginVersion(tx: Tx, place: TurnIds, sent: VersionRequest): Promise<Version | undefined> {
  const found = await findVersion(tx, place.chatId, sent)
  if (found === undefined && sent.restoreFiles === true) throw invalid('restoreFiles', 'there is nothing to go back to')
  if (found === undefined) return undefined
  if ((await countBranches(tx, place.chatId)) >= maxBranches)
    throw new ApiError('conflict', `A chat keeps at most ${maxBranches} branches`)
  const { kind, target, fork, userMessage } = found
  const history = fork === undefined ? [] : await readHistory(tx, place.chatId, fork.position)
  const branch: NewBranch = {
    id: newBranchId(),
    chatId: place.chatId,
    runId: place.runId,
    kind,
    versionOf: target.id,
    fork,
    restore: sent.restoreFiles === true ? await resolveRestore(tx, place, found.asked) : undefined,
  }
  await insertBranch(tx, branch)
  const instructions = sent.messages.filter(({ role }) => role === 'system')
  const input = [...instructions, ...history, ...(userMessage === undefined ? [] : [userMessage])]
  return { branch, input, userMessage }
}

/** Writes the branch into the new log. Call it after the insert of its turn. */
export async function announceVersion(
  tx: Tx,
  place: TurnIds,
  { branch, userMessage }: Version,
  sent: VersionRequest,
): Promise<void> {
  const { id: branchId, versionOf, restore } = branch
  const files = restore === undefined || restore === 'none' ? 'kept' : 'restoring'
  await appendToLog(tx, place.runId, [branchFrame(place.assistantMessageId, { branchId, versionOf, files })])
  const sentId = sent.messages.at(-1)?.id
  if (userMessage !== undefined && sentId !== undefined && sentId !== userMessage.id)
    await keepSentId(tx, place.chatId, userMessage.id, sentId)
}

export function restoresFiles(version: Version | undefined): boolean {
  return typeof version?.branch.restore === 'object'
}

type VersionTarget = {
  kind: NewBranch['kind']
  /** The message to make another version of. */
  target: PlacedMessage
  /** The user message that is answered; files are restored to the state before it. */
  asked: PlacedMessage
  fork: PlacedMessage | undefined
  userMessage: StoredMessage | undefined
}

async function findVersion(tx: Tx, chatId: string, sent: VersionRequest): Promise<VersionTarget | undefined> {
  const { trigger, messageId, messages } = sent
  const last = messages.at(-1)!
  const isAsked = trigger === 'regenerate-message' || sent.editOf !== undefined
  if (isAsked && last.role !== 'user') throw invalid('messages', 'the last message must be a user message')
  if (trigger === 'regenerate-message') {
    if (sent.editOf !== undefined) throw invalid('editOf', 'editOf and regenerate-message exclude each other')
    // A message that was never stored is a new one, not a repeat.
    if ((messageId ?? last.id) === last.id && !(await hasMessage(tx, chatId, last.id))) return undefined
    return findAnswered(tx, chatId, messageId ?? last.id)
  }
  if (sent.editOf !== undefined) return findReplaced(tx, chatId, sent.editOf, last)
  // The SDK edits a message by sending it again under its own id.
  const isEdit = last.role === 'user' && messageId === last.id && (await hasMessage(tx, chatId, last.id))
  return isEdit ? findReplaced(tx, chatId, last.id, last) : undefined
}

async function findAnswered(tx: Tx, chatId: string, id: string): Promise<VersionTarget> {
  const target = await findPlaced(tx, chatId, { id })
  const asked = target && (await findPlaced(tx, chatId, { through: target.position, role: 'user' }))
  if (target === undefined || asked === undefined)
    throw invalid('messageId', 'messageId names no message of the selected branch')
  return { kind: 'regenerate', target, asked, fork: asked, userMessage: undefined }
}

async function findReplaced(tx: Tx, chatId: string, id: string, last: RequestMessage): Promise<VersionTarget> {
  const target = await findPlaced(tx, chatId, { id })
  if (target?.role !== 'user') throw invalid('editOf', 'editOf names no user message of the selected branch')
  const fork = await findPlaced(tx, chatId, { through: target.position - 1 })
  const isKnown = await hasMessage(tx, chatId, last.id)
  const userMessage = toStoredMessage({ ...last, role: 'user', ...(isKnown && { id: randomUUID() }) })
  return { kind: 'edit', target, asked: target, fork, userMessage }
}

/** Chats of a session share their files, so no other run may be using them. */
async function resolveRestore(
  tx: Tx,
  { sessionId, chatId }: TurnIds,
  asked: PlacedMessage,
): Promise<NewBranch['restore']> {
  const live = await listLiveRuns(tx, { sessionId })
  if (live.some((run) => run.chatId !== chatId))
    throw new ApiError('conflict', 'Another chat of this session is working')
  return (await findCommitBefore(tx, sessionId, asked.createdAt)) ?? 'none'
}

function invalid(member: string, message: string): ApiError {
  return new ApiError('invalid_request', message, { missingFields: [member] })
}
