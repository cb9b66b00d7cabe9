import type { Violation } from '../../records/records.ts'
import { createViolation, groupBy, isMachineFault, type Evidence } from '../records/evidence.ts'
import { listLostSteps } from './lost-steps.ts'
import {
  isEarlier,
  listCommands,
  listLosses,
  listPushes,
  precedes,
  type Command,
  type Loss,
  type Session,
} from './session.ts'

/** Whether the commit or the checkpoint that replaced the lost files contains the effect of a command. */
const isKept = (command: Command, loss: Loss, folder: 'workingTree' | 'home', session: Session): boolean => {
  if (loss.checkpointAt !== undefined) return command.endedAt < loss.checkpointAt
  if (folder === 'home') return false
  return session.pushes
    .filter((push) => (loss.commit !== undefined && push.commit === loss.commit) || push.endedAt <= loss.lostAt)
    .filter((push) => precedes({ ...push, startedAt: push.endedAt }, loss, session))
    .some((push) => (push.chatId === command.chatId ? isEarlier(command, push) : command.endedAt < push.createdAt))
}

/** Lists the losses that a chat was notified of before the command. A chat that is newer than a loss is not notified of it. */
const listKnownLosses = (command: Command, { runs, losses }: Session): Loss[] => {
  const begunAt = runs.find(({ row }) => row.chatId === command.chatId)?.row.createdAt ?? 0
  return losses.filter((loss) =>
    loss.chatId === command.chatId ? isEarlier(loss, command) : begunAt > loss.lostAt && loss.lostAt < command.endedAt,
  )
}

const listStale = (reader: Command, session: Session): string[] => {
  const losses = listKnownLosses(reader, session)
  const earlier = session.commands.filter(({ endedAt }) => endedAt < reader.startedAt)
  return (['workingTree', 'home'] as const).flatMap((folder) => {
    const seen = reader.seen?.[folder]
    if (seen === undefined) return []
    const missing = earlier
      .filter(({ token, seen: shown }) => !seen.has(token) && (folder === 'workingTree' || shown !== undefined))
      .filter((command) =>
        losses.every((loss) => !precedes(command, loss, session) || isKept(command, loss, folder, session)),
      )
    if (missing.length === 0) return []
    const [first] = missing
    const name = folder === 'home' ? 'home folder' : 'working tree'
    return [
      `the command ${reader.toolCallId} saw an old ${name} without ${missing.length} effects, the first of ${first?.toolCallId} (${first?.token})`,
    ]
  })
}

/**
 * Lists possible losses that were announced in no chat, because only newer chats used the sandbox afterwards. The times
 * of these losses are unknown, so that every machine fault is a possible loss.
 */
const listHiddenLosses = (id: string, losses: Loss[], { records }: Evidence): Loss[] => {
  const { epoch = 1 } = records.sandboxes.find(({ sessionId }) => sessionId === id) ?? {}
  if (new Set(losses.map((loss) => loss.epoch)).size >= epoch - 1) return []
  const unknown = { runId: '', chatId: '', runAt: 0, index: 0, epoch: 0, commit: undefined, checkpointAt: undefined }
  return records.faults.filter(isMachineFault).map(({ at }) => ({ ...unknown, lostAt: at }))
}

/** Lists chats that used a recreated sandbox before its loss was announced to them. */
const listUnannounced = ({ id, runs, commands, losses }: Session, { records }: Evidence): Violation[] => {
  const sandbox = records.sandboxes.find(({ sessionId }) => sessionId === id)
  const { lostAt = null, epoch = 1 } = sandbox ?? {}
  if (lostAt === null) return []
  const older = new Set(runs.filter(({ row }) => row.createdAt < lostAt).map(({ row }) => row.chatId))
  return [...older].flatMap((chatId) => {
    const announcement = losses.find((loss) => loss.chatId === chatId && loss.epoch === epoch)
    const command = commands.find(
      (candidate) =>
        candidate.chatId === chatId &&
        candidate.startedAt > lostAt &&
        (announcement === undefined || isEarlier(candidate, announcement)),
    )
    const text = `the loss of epoch ${epoch} was not announced before ${command?.toolCallId}`
    return command === undefined ? [] : [createViolation('G19', chatId, text)]
  })
}

/**
 * G19: a command sees the effect of every earlier command, unless the chat was notified of a loss that includes it. A loss
 * includes at most the newest step with commands.
 */
export const checkFiles = (evidence: Evidence): Violation[] => {
  const runs = evidence.runs.filter(({ row }) => !evidence.deletedChats.has(row.chatId))
  return [...groupBy(runs, ({ row }) => row.sessionId ?? row.chatId)].flatMap(([id, sessionRuns]) => {
    const losses = sessionRuns.flatMap(listLosses)
    const pushes = groupBy(sessionRuns.flatMap(listPushes), ({ commit, runId }) => commit ?? runId)
    const session: Session = {
      id,
      runs: sessionRuns,
      commands: sessionRuns.flatMap(listCommands),
      losses: [...losses, ...listHiddenLosses(id, losses, evidence)],
      // A later push of the same commit contains no more files.
      pushes: [...pushes.values()].map(([first]) => first!),
    }
    const stale = session.commands.flatMap((command) =>
      listStale(command, session).map((text) => createViolation('G19', command.runId, text)),
    )
    return [...stale, ...listUnannounced(session, evidence), ...listLostSteps(session, evidence)]
  })
}
