import { afterAll, beforeAll, expect, test } from 'vitest'
import { listFaults, listFrames, readTranscript, listTypes, type Transcript } from '../../world/transcript.ts'
import { createWorld, type World } from '../../world/world.ts'
import { createChatApi, userMessage, type OpenChat } from '../chat-api.ts'
import { listBranchFrames, createVersionsApi } from './chat-versions.ts'

let world: World
let chatApi: ReturnType<typeof createChatApi>
let versions: ReturnType<typeof createVersionsApi>
beforeAll(async () => {
  world = await createWorld()
  chatApi = createChatApi(world)
  versions = createVersionsApi(world)
})
afterAll(() => world.close())

/** Sends the text as a message with this id. */
const sendAs = (chat: OpenChat, id: string, text: string): Promise<Transcript> =>
  chatApi.send(chat, '', { messages: [{ ...userMessage(text), id }] })

const readOutput = (transcript: Transcript): string =>
  listFrames(transcript)
    .filter(({ type }) => type === 'tool-output-available')
    .map(({ output }) => (output as { stdout: string }).stdout)
    .join('')

const editRequest = (text: string) => ({ messages: [userMessage(text)], restoreFiles: true })

const showFiles = '$ cat song.txt; ls; git status --porcelain; git log --format=%s'

/** Reads the stream until a command has run. */
const readUntilCommand = (response: Response): Promise<Transcript> =>
  readTranscript(response, ({ frames }) => frames.some(({ body }) => body.includes('tool-output-available')))

test('files are restored to their state before the message with new commits, which are pushed', async () => {
  const chat = await chatApi.openChat()
  await sendAs(chat, 'q1', '$ echo one > song.txt')
  await sendAs(chat, 'q2', '$ echo two > song.txt && echo new > later.txt')
  await sendAs(chat, 'q3', '$ echo three > song.txt')
  const transcript = await versions.send(chat, { editOf: 'q2', ...editRequest(showFiles) })
  expect(listFaults(transcript)).toEqual([])
  const frames = listBranchFrames(transcript)
  expect(frames).toMatchObject([
    { versionOf: 'q2', files: 'restoring' },
    { versionOf: 'q2', files: 'restored', commit: expect.stringMatching(/^[0-9a-f]{40}$/) },
  ])
  expect(listTypes(transcript).slice(0, 4)).toEqual(['start', 'data-branch', 'data-branch', 'start-step'])
  const [content, ...rest] = readOutput(transcript).split('\n')
  expect(content).toBe('one')
  expect(rest).not.toContain('later.txt')
  expect(rest).toContain(`chore: go back to ${String(frames[1]?.['commit'])}`)
  expect(
    listFrames(transcript)
      .filter(({ type }) => type === 'data-commit')
      .at(-1),
  ).toMatchObject({
    data: { status: 'success', pushed: true },
  })
  const branches = await versions.list(chat)
  expect(branches.at(-1)?.files).toEqual({ state: 'restored', commit: frames[1]?.['commit'] })
})

test('files are restored to the state before the first message, after uncommitted files are committed', async () => {
  const chat = await chatApi.openChat()
  const stopped = await chatApi.post(chat, '', {
    messages: [{ ...userMessage('$ echo one > song.txt\n---\n@stall'), id: 'q1' }],
  })
  await readUntilCommand(stopped)
  await chatApi.stop(chat)
  const transcript = await versions.send(chat, { editOf: 'q1', ...editRequest('@say Nothing to do.') })
  expect(listBranchFrames(transcript)).toMatchObject([{ files: 'restoring' }, { files: 'restored' }])
  expect(
    listFrames(transcript)
      .filter(({ type }) => type === 'data-commit')
      .at(-1),
  ).toMatchObject({
    data: { status: 'success', pushed: true },
  })
  const after = await chatApi.send(chat, '$ ls; git show HEAD~1:song.txt; git log --format=%s')
  expect(readOutput(after)).toContain('chore: keep changes before going back')
  expect(readOutput(after).split('\n')).not.toContain('song.txt')
  expect(readOutput(after)).toContain('one')
})

test('files are kept if the request does not restore them or no commit is older than the message', async () => {
  const chat = await chatApi.openChat()
  await sendAs(chat, 'q1', '$ echo one > song.txt')
  const withoutRestore = await versions.send(chat, { editOf: 'q1', messages: [userMessage(showFiles)] })
  expect(listBranchFrames(withoutRestore)).toMatchObject([{ files: 'kept' }])
  expect(readOutput(withoutRestore)).toContain('one')
  await versions.select(chat, 'main')
  // The message is now older than the first commit of its sandbox.
  await world.db`update chat_messages set created_at = '2020-01-01' where chat_id = ${chat.chatId} and id = 'q1'`
  const withRestore = await versions.send(chat, { editOf: 'q1', ...editRequest(showFiles) })
  expect(listBranchFrames(withRestore)).toMatchObject([{ files: 'restoring' }, { files: 'kept' }])
  expect(readOutput(withRestore)).toContain('one')
  expect((await versions.list(chat)).map(({ files }) => files)).toEqual([null, null, { state: 'kept', commit: null }])
})

test('files are not restored while another chat of the session is running', async () => {
  const chat = await chatApi.openChat()
  await sendAs(chat, 'q1', '@say Hello')
  const other = await chatApi.openChatIn(chat)
  const working = await chatApi.post(other, '@stall')
  const refused = await versions.post(chat, { editOf: 'q1', ...editRequest(showFiles) })
  expect([refused.status, await refused.json()]).toMatchObject([
    409,
    { error: 'Another chat of this session has a live run' },
  ])
  await chatApi.stop(other)
  await working.body?.cancel()
  expect(await versions.list(chat)).toHaveLength(1)
})

test('a turn whose files cannot be restored fails before the model is called', async () => {
  const chat = await chatApi.openChat()
  await sendAs(chat, 'q1', '$ echo one > song.txt')
  await sendAs(chat, 'q2', '$ echo two > song.txt && rm -rf .git/refs/heads && touch .git/refs/heads')
  const transcript = await versions.send(chat, { editOf: 'q2', ...editRequest(showFiles) })
  expect(listFaults(transcript)).toEqual([])
  expect(listFrames(transcript).find(({ type }) => type === 'error')).toEqual({
    type: 'error',
    errorText: 'The files could not be restored',
  })
  expect(listTypes(transcript)).not.toContain('start-step')
  expect((await versions.list(chat)).at(-1)).toMatchObject({ files: { state: 'kept', commit: null }, credits: 0 })
})
