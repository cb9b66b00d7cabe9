import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApiProcess, startWorkerHere, startWorkerProcess } from '../../crash/processes.ts'
import { whileLocked } from '../../crash/table-locks.ts'
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
  const worker = await startWorkerHere(world)
  try {
    return await work()
  } finally {
    await worker.stop()
  }
}

const sendAs = (chat: OpenChat, id: string, text: string): Promise<Transcript> =>
  chatApi.send(chat, '', { messages: [{ ...userMessage(text), id }] })

const openSettled = async (): Promise<OpenChat> => {
  const chat = await chatApi.openChat()
  await sendAs(chat, 'q1', '$ echo one > song.txt')
  await sendAs(chat, 'q2', '$ echo two > song.txt')
  return chat
}

let settled: OpenChat[] | undefined
/** Takes an idle chat with two answers, the second of which changed a file. */
const takeSettled = async (): Promise<OpenChat> => {
  settled ??= await withWorker(() => Promise.all(Array.from({ length: 4 }, openSettled)))
  return settled.pop()!
}

const showFiles = '$ cat song.txt; git status --porcelain; git log --format=%s'
const restoring = { editOf: 'q2', restoreFiles: true, messages: [userMessage(showFiles)] }

const expectRestored = (transcript: Transcript): void => {
  expect(listFaults(transcript)).toEqual([])
  expect(listBranchFrames(transcript)).toMatchObject([{ files: 'restoring' }, { files: 'restored' }])
  const printed = listFrames(transcript).find(({ type }) => type === 'tool-output-available')?.['output']
  const lines = (printed as { stdout: string }).stdout.split('\n')
  expect(lines[0]).toBe('one')
  expect(lines.filter((line) => line.startsWith('chore: go back'))).toHaveLength(1)
}

describe('an API that is killed', () => {
  test('while it accepts another version leaves the chat unchanged', async () => {
    const chat = await takeSettled()
    const before = await versions.shown(chat)
    const doomed = await startApiProcess(world)
    await whileLocked(world, 'chat_branches', async (blocked) => {
      const sending = fetch(`${doomed.baseUrl}/api/chat`, {
        method: 'POST',
        headers: { 'x-api-key': chat.account.key, 'content-type': 'application/json' },
        body: JSON.stringify({ sessionId: chat.sessionId, chatId: chat.chatId, ...restoring }),
      }).catch(() => undefined)
      await blocked
      await doomed.kill()
      await sending
    })
    await eventually('the end of its connection', async () => {
      const { isStreaming } = await versions.shown(chat)
      return isStreaming ? undefined : true
    })
    expect(await versions.shown(chat)).toEqual(before)
    expect(await versions.list(chat)).toHaveLength(1)
    expectRestored(await withWorker(() => versions.send(chat, restoring)))
  })

  test('before it signals the engine has accepted the turn: a sweep starts it and restores the files', async () => {
    const chat = await takeSettled()
    const response = await world.withEngine({ ...world.engine, startTurn: rejectTurn }, () =>
      versions.post(chat, restoring),
    )
    expectRestored(await withWorker(() => readTranscript(response)))
  })
})

const rejectTurn = () => Promise.reject(new Error('the engine is down'))

describe('a worker that is killed', () => {
  test('after the files are restored and before a row records it leaves another worker to record it once', async () => {
    const chat = await takeSettled()
    const response = await versions.post(chat, restoring)
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

  test.each([150])('%i ms after it began to restore files is replaced by another one that continues', async (ms) => {
    const chat = await takeSettled()
    const response = await versions.post(chat, restoring)
    const doomed = await startWorkerProcess(world)
    await eventually('the begin of the run', async () => {
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

  test('during another answer leaves one answer on the branch, and the earlier one unchanged', async () => {
    const chat = await chatApi.openTalk()
    const doomed = await startWorkerProcess(world)
    await sendAs(chat, 'q1', '@words 60')
    const before = await versions.shown(chat)
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
    expect(listTexts(await versions.shown(chat))).toEqual(['@words 60', repeatedWords(60)])
    expect((await versions.shown(chat, '?branch=main')).messages).toEqual(before.messages)
    expect(await versions.list(chat)).toHaveLength(2)
  })
})

test('racing versions, selections and messages run one turn at a time, each on its own branch', () =>
  withWorker(async () => {
    const chat = await chatApi.openTalk()
    await sendAs(chat, 'q1', '@say One.')
    const regenerate = { trigger: 'regenerate-message', messages: [{ ...userMessage('@say One.'), id: 'q1' }] }
    const sendRequest = async (members: object): Promise<number> => {
      const response = await versions.post(chat, members)
      if (response.status === 200) expect(listFaults(await readTranscript(response))).toEqual([])
      else await response.body?.cancel()
      return response.status
    }
    let accepted = 0
    for (let round = 0; round < 15; round++) {
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
      // Without a live turn, a request is rejected only because of its branch.
      if (acceptedCount === 0) expect(sent).toEqual(requests.map(() => 400))
      accepted += acceptedCount
      await versions.select(chat, 'main')
    }
    expect(await versions.list(chat)).toHaveLength(1 + accepted)
    expect(accepted).toBeGreaterThan(5)
    const astray = await world.db`
      select 1 from chat_branches branch
      join runs on runs.id = branch.run_id
      join chat_messages message on message.chat_id = runs.chat_id and message.id = runs.assistant_message_id
      where branch.chat_id = ${chat.chatId} and message.branch_id is distinct from branch.id`
    expect(astray).toHaveLength(0)
    expect(listTexts(await versions.shown(chat))).toEqual(['@say One.', 'One.'])
  }))
