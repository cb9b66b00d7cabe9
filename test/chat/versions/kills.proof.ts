import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApiProcess, startWorkerInProcess, startWorkerProcess } from '../../crash/processes.ts'
import { whileLocked } from '../../crash/table-locks.ts'
import { scaled } from '../../cost/scale.ts'
import { listFaults, listFrames, readTranscript, shownText, type Transcript } from '../../world/transcript.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { createChatApi, repeatedWords, userMessage, type OpenChat } from '../chat-api.ts'
import { listBranchFrames, listTexts, createVersionsApi } from './chat-versions.ts'

let world: World
let chatApi: ReturnType<typeof createChatApi>
let versions: ReturnType<typeof createVersionsApi>
beforeAll(async () => {
  world = await createWorld({
    worker: false,
    settings: { LOCAL_MODEL_WORDS_PER_SECOND: '40', RATE_LIMIT_STARTS_PER_MINUTE: '0' },
  })
  chatApi = createChatApi(world)
  versions = createVersionsApi(world)
})
afterAll(() => world.close())

const withWorker = async <T>(work: () => Promise<T>): Promise<T> => {
  const worker = await startWorkerInProcess(world)
  try {
    return await work()
  } finally {
    await worker.stop()
  }
}

const sendAs = (chat: OpenChat, id: string, text: string): Promise<Transcript> =>
  chatApi.send(chat, '', { messages: [{ ...userMessage(text), id }] })

const openIdleChat = async (): Promise<OpenChat> => {
  const chat = await chatApi.openChat()
  await sendAs(chat, 'q1', '$ echo one > song.txt')
  await sendAs(chat, 'q2', '$ echo two > song.txt')
  return chat
}

let idleChats: OpenChat[] | undefined
/** Returns an unused idle chat with two answers, the second of which changed a file. */
const nextIdleChat = async (): Promise<OpenChat> => {
  idleChats ??= await withWorker(() => Promise.all(Array.from({ length: 4 }, openIdleChat)))
  return idleChats.pop()!
}

const showFiles = '$ cat song.txt; git status --porcelain; git log --format=%s'
const restoreRequest = { editOf: 'q2', restoreFiles: true, messages: [userMessage(showFiles)] }

const expectRestored = (transcript: Transcript): void => {
  expect(listFaults(transcript)).toEqual([])
  expect(listBranchFrames(transcript)).toMatchObject([{ files: 'restoring' }, { files: 'restored' }])
  const printed = listFrames(transcript).find(({ type }) => type === 'tool-output-available')?.['output']
  const lines = (printed as { stdout: string }).stdout.split('\n')
  expect(lines[0]).toBe('one')
  expect(lines.filter((line) => line.startsWith('chore: go back'))).toHaveLength(1)
}

describe('an API that is killed', () => {
  test('while it accepts a new version leaves the chat unchanged', async () => {
    const chat = await nextIdleChat()
    const before = await versions.readHistory(chat)
    const doomed = await startApiProcess(world)
    await whileLocked(world, 'chat_branches', async (blocked) => {
      const sending = fetch(`${doomed.baseUrl}/api/chat`, {
        method: 'POST',
        headers: { 'x-api-key': chat.account.key, 'content-type': 'application/json' },
        body: JSON.stringify({ sessionId: chat.sessionId, chatId: chat.chatId, ...restoreRequest }),
      }).catch(() => undefined)
      await blocked
      await doomed.kill()
      await sending
    })
    await eventually('the end of its connection', async () => {
      const { isStreaming } = await versions.readHistory(chat)
      return isStreaming ? undefined : true
    })
    expect(await versions.readHistory(chat)).toEqual(before)
    expect(await versions.list(chat)).toHaveLength(1)
    expectRestored(await withWorker(() => versions.send(chat, restoreRequest)))
  })

  test('before it starts the workflow of an accepted turn leaves the turn to a sweep', async () => {
    const chat = await nextIdleChat()
    const response = await world.withEngine({ ...world.engine, startTurn: rejectTurn }, () =>
      versions.post(chat, restoreRequest),
    )
    expectRestored(await withWorker(() => readTranscript(response)))
  })
})

const rejectTurn = () => Promise.reject(new Error('the engine is down'))

describe('a worker that is killed', () => {
  test('after it restored the files but before it recorded the restore is replaced by a worker that records the restore once', async () => {
    const chat = await nextIdleChat()
    const response = await versions.post(chat, restoreRequest)
    const runId = response.headers.get('x-workflow-run-id') ?? ''
    await world.db.begin(async (tx) => {
      await tx`select 1 from chat_branches where run_id = ${runId} for update`
      const doomed = await startWorkerProcess(world)
      await eventually('the result of the restore', async () => {
        const waiting = await world.db`select 1 from pg_locks where not granted and locktype = 'transactionid'`
        return waiting.length > 0 || undefined
      })
      await doomed.kill()
    })
    expectRestored(await withWorker(() => readTranscript(response)))
  })

  test.each([150])('%i ms after it began to restore files is replaced by another worker that continues', async (ms) => {
    const chat = await nextIdleChat()
    const response = await versions.post(chat, restoreRequest)
    const doomed = await startWorkerProcess(world)
    await eventually('the start of the run', async () => {
      const runs = await world.db`select 1 from runs where chat_id = ${chat.chatId} and status = 'running'`
      return runs.length > 0 || undefined
    })
    await pause(ms)
    await doomed.kill()
    const [transcript, after] = await withWorker(async () => [
      await readTranscript(response),
      await chatApi.send(chat, '$ cat song.txt; git status --porcelain'),
    ])
    expect(listFaults(transcript)).toEqual([])
    expect(listBranchFrames(transcript)).toMatchObject([{ files: 'restoring' }, { files: 'restored' }])
    const printed = listFrames(after).find(({ type }) => type === 'tool-output-available')?.['output']
    expect(printed).toMatchObject({ stdout: 'one\n' })
  })

  test('during a regenerated answer leaves one answer on the branch, and the earlier answer unchanged', async () => {
    const chat = await chatApi.openChatWithoutCommands()
    const doomed = await startWorkerProcess(world)
    await sendAs(chat, 'q1', '@words 60')
    const before = await versions.readHistory(chat)
    const response = await versions.post(chat, {
      trigger: 'regenerate-message',
      messageId: before.messages[1]?.id,
    })
    const reading = readTranscript(response)
    await readTranscript(await chatApi.resume(chat), ({ frames }) => frames.length >= 12)
    await doomed.kill()
    const transcript = await withWorker(() => reading)
    expect(listFaults(transcript)).toEqual([])
    expect(shownText(transcript)).toBe(repeatedWords(60))
    expect(listTexts(await versions.readHistory(chat))).toEqual(['@words 60', repeatedWords(60)])
    expect((await versions.readHistory(chat, '?branch=main')).messages).toEqual(before.messages)
    expect(await versions.list(chat)).toHaveLength(2)
  })
})

test('parallel versions, selections and messages run one turn at a time, each on a separate branch', () =>
  withWorker(async () => {
    const chat = await chatApi.openChatWithoutCommands()
    await sendAs(chat, 'q1', '@say One.')
    const regenerate = { trigger: 'regenerate-message', messages: [{ ...userMessage('@say One.'), id: 'q1' }] }
    const sendRequest = async (members: object): Promise<number> => {
      const response = await versions.post(chat, members)
      if (response.status === 200) expect(listFaults(await readTranscript(response))).toEqual([])
      else await response.body?.cancel()
      return response.status
    }
    let accepted = 0
    const rounds = scaled(6, 15)
    for (let round = 0; round < rounds; round++) {
      const branches = await versions.list(chat)
      const picked = branches[(round * 7) % branches.length]?.id ?? 'main'
      const requests = [regenerate, regenerate, { editOf: 'q1', messages: [userMessage('@say Edited.')] }, regenerate]
      const [sent, selected] = await Promise.all([
        Promise.all(requests.map(sendRequest)),
        Promise.all(['main', picked].map(async (id) => (await versions.trySelect(chat, id)).status)),
      ])
      for (const status of selected) expect([200, 409]).toContain(status)
      // A branch whose first message was replaced has no `q1`.
      for (const status of sent) expect([200, 400, 409]).toContain(status)
      const acceptedCount = sent.filter((status) => status === 200).length
      // Without an active turn, a request is rejected only because of its branch.
      if (acceptedCount === 0) expect(sent).toEqual(requests.map(() => 400))
      accepted += acceptedCount
      await versions.select(chat, 'main')
    }
    expect(await versions.list(chat)).toHaveLength(1 + accepted)
    expect(accepted).toBeGreaterThan(rounds / 3)
    const misplaced = await world.db`
      select 1 from chat_branches branch
      join runs on runs.id = branch.run_id
      join chat_messages message on message.chat_id = runs.chat_id and message.id = runs.assistant_message_id
      where branch.chat_id = ${chat.chatId} and message.branch_id is distinct from branch.id`
    expect(misplaced).toHaveLength(0)
    expect(listTexts(await versions.readHistory(chat))).toEqual(['@say One.', 'One.'])
  }))
