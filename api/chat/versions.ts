import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import {
  countBranches,
  findPositionedMessage,
  hasMessage,
  insertBranch,
  storeSentId,
  type NewBranch,
  type PositionedMessage,
} from '../../db/sessions/branches.ts'
import type { Tx } from '../../db/postgres/client.ts'
import { listLiveRuns } from '../../db/runs/runs.ts'
import { appendToLog } from '../../db/turns/insert-turn.ts'
import { readHistory } from '../../db/turns/history.ts'
import { findCommitBefore } from '../../db/turns/restore.ts'
import { branchFrame, maxBranches } from '../../domain/chat/branches.ts'
import { toStoredMessage, type RequestMessage, type StoredMessage } from '../../domain/chat/messages.ts'
import { text } from '../../domain/fields/fields.ts'
import { newBranchId } from '../../domain/fields/ids.ts'
import { ApiError, invalidField } from '../http/errors.ts'

/** Request fields that create another version of a message. */
export const versionFields = {
  trigger: z.enum(['submit-message', 'regenerate-message']).optional(),
  messageId: text(1, 128).optional(),
  editOf: text(1, 128).optional(),
  restoreFiles: z.boolean().optional(),
}

type VersionRequest = z.output<z.ZodObject<typeof versionFields>> & { messages: RequestMessage[] }
/** Ids of a turn to accept and of the assistant message that it writes. */
export type TurnIds = { chatId: string; sessionId: string; runId: string; assistantMessageId: string }

/** Another version of a message. Its turn reads the stored branch, not the history of the request. */
export type Version = {
  branch: NewBranch
  input: RequestMessage[]
  /** The edited user message; undefined when a stored user message is answered again. */
  userMessage: StoredMessage | undefined
}

/**
 * True if a request may create another version of a message. `beginVersion` decides from the stored messages, because the
 * SDK also sends `messageId` with the answer to a question.
 */
export function mayCreateVersion({ trigger, messageId, editOf }: VersionRequest): boolean {
  return trigger === 'regenerate-message' || editOf !== undefined || messageId !== undefined
}

/**
 * Creates and selects the branch of the requested version; undefined when the request continues the chat. Call it in the
 * transaction that holds the slot, so that no other request changes the branches.
 */
export async function beginVersion(tx: Tx, ids: TurnIds, request: VersionRequest): Promise<Version | undefined> {
  const versionTarget = await findVersionTarget(tx, ids.chatId, request)
  if (versionTarget === undefined && request.restoreFiles === true)
    throw invalidField('restoreFiles requires an earlier message, and this request continues the chat', 'restoreFiles')
  if (versionTarget === undefined) return undefined
  if ((await countBranches(tx, ids.chatId)) >= maxBranches)
    throw new ApiError('conflict', `A chat can have at most ${maxBranches} branches`)
  const { kind, target, fork, userMessage } = versionTarget
  const history = fork === undefined ? [] : await readHistory(tx, ids.chatId, fork.position)
  const branch: NewBranch = {
    id: newBranchId(),
    chatId: ids.chatId,
    runId: ids.runId,
    kind,
    versionOf: target.id,
    fork,
    restore: request.restoreFiles === true ? await resolveRestore(tx, ids, versionTarget.answered) : undefined,
  }
  await insertBranch(tx, branch)
  const instructions = request.messages.filter(({ role }) => role === 'system')
  const input = [...instructions, ...history, ...(userMessage === undefined ? [] : [userMessage])]
  return { branch, input, userMessage }
}

/** Appends the frame that announces the branch to the log of its turn. Call it after the turn was inserted. */
export async function announceVersion(
  tx: Tx,
  ids: TurnIds,
  { branch, userMessage }: Version,
  request: VersionRequest,
): Promise<void> {
  const { id: branchId, versionOf, restore } = branch
  const files = restore === undefined || restore === 'none' ? 'kept' : 'restoring'
  await appendToLog(tx, ids.runId, [branchFrame(ids.assistantMessageId, { branchId, versionOf, files })])
  const sentId = request.messages.at(-1)?.id
  if (userMessage !== undefined && sentId !== undefined && sentId !== userMessage.id)
    await storeSentId(tx, ids.chatId, userMessage.id, sentId)
}

export function restoresFiles(version: Version | undefined): boolean {
  return typeof version?.branch.restore === 'object'
}

type VersionTarget = {
  kind: NewBranch['kind']
  /** The message that gets another version. */
  target: PositionedMessage
  /** The user message that is answered; files are restored to the state before it. */
  answered: PositionedMessage
  fork: PositionedMessage | undefined
  userMessage: StoredMessage | undefined
}

async function findVersionTarget(tx: Tx, chatId: string, request: VersionRequest): Promise<VersionTarget | undefined> {
  const { trigger, messageId, messages } = request
  const last = messages.at(-1)!
  const isExplicit = trigger === 'regenerate-message' || request.editOf !== undefined
  if (isExplicit && last.role !== 'user') throw invalidField('the last message must be a user message', 'messages')
  if (trigger === 'regenerate-message') {
    if (request.editOf !== undefined)
      throw invalidField('editOf cannot be combined with trigger regenerate-message', 'editOf')
    // A message that was never stored is new, so there is nothing to regenerate.
    if ((messageId ?? last.id) === last.id && !(await hasMessage(tx, chatId, last.id))) return undefined
    return findRegenerationTarget(tx, chatId, messageId ?? last.id)
  }
  if (request.editOf !== undefined) return findEditTarget(tx, chatId, request.editOf, last)
  // The SDK edits a message by sending it again under its own id.
  const isEdit = last.role === 'user' && messageId === last.id && (await hasMessage(tx, chatId, last.id))
  return isEdit ? findEditTarget(tx, chatId, last.id, last) : undefined
}

async function findRegenerationTarget(tx: Tx, chatId: string, id: string): Promise<VersionTarget> {
  const target = await findPositionedMessage(tx, chatId, { id })
  const answered = target && (await findPositionedMessage(tx, chatId, { through: target.position, role: 'user' }))
  if (target === undefined || answered === undefined)
    throw invalidField('messageId must be the id of a message of the selected branch', 'messageId')
  return { kind: 'regenerate', target, answered, fork: answered, userMessage: undefined }
}

async function findEditTarget(tx: Tx, chatId: string, id: string, last: RequestMessage): Promise<VersionTarget> {
  const target = await findPositionedMessage(tx, chatId, { id })
  if (target?.role !== 'user')
    throw invalidField('editOf must be the id of a user message of the selected branch', 'editOf')
  const fork = await findPositionedMessage(tx, chatId, { through: target.position - 1 })
  const isStored = await hasMessage(tx, chatId, last.id)
  const userMessage = toStoredMessage({ ...last, role: 'user', ...(isStored && { id: randomUUID() }) })
  return { kind: 'edit', target, answered: target, fork, userMessage }
}

/**
 * Returns the commit to restore, or `none` without such a commit. Throws if another chat of the session has a live run,
 * because the chats of a session share their files.
 */
async function resolveRestore(
  tx: Tx,
  { sessionId, chatId }: TurnIds,
  answered: PositionedMessage,
): Promise<NewBranch['restore']> {
  const liveRuns = await listLiveRuns(tx, { sessionId })
  if (liveRuns.some((run) => run.chatId !== chatId))
    throw new ApiError('conflict', 'Another chat of this session has a live run')
  return (await findCommitBefore(tx, sessionId, answered.createdAt)) ?? 'none'
}
