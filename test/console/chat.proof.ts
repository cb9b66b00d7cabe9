import { afterEach, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { developmentToken } from '../../providers/identity/development-token.ts'
import { freePort } from '../../dev/stack/ports.ts'
import { createChatApi, repeatedWords, type OpenChat } from '../chat/chat-api.ts'
import { startApiProcess, startWorkerInProcess, startWorkerProcess } from '../crash/processes.ts'
import { picture } from '../content/content-api.ts'
import { fillChat, say } from '../world/sessions/session-rows.ts'
import { eventually } from '../world/world.ts'
import { hostile } from './account.ts'
import { readAnswers, openPath, openConsole, sendMessage, signInByKey, type OpenConsole } from './browser.ts'
import { address, browser, useConsoleWorld, world } from './console-world.ts'

let chatApi: ReturnType<typeof createChatApi>
let opened: OpenConsole
let page: Page

useConsoleWorld({ settings: { LOCAL_MODEL_WORDS_PER_SECOND: '40' }, worker: false })
beforeAll(() => {
  chatApi = createChatApi(world)
})
afterEach(() => opened?.context.close())

const open = async (path: string, key?: string, baseUrl = address): Promise<void> => {
  opened = await openConsole(browser, baseUrl)
  page = opened.page
  await page.goto(`${baseUrl}/console${path}`)
  if (key !== undefined) await signInByKey(page, key)
}
const openChatPage = async (chat: OpenChat, baseUrl?: string): Promise<void> => {
  await open(`/chat/${chat.sessionId}/${chat.chatId}`, chat.account.key, baseUrl)
  await page.locator('.conversation .composer').waitFor()
}
const untilAnswers = (description: string, isExpected: (answers: string[]) => boolean): Promise<string[]> =>
  eventually(description, async () => [await readAnswers(page)].find(isExpected))
const untilWord = (word: string): Promise<string[]> => untilAnswers(word, (answers) => answers.join(' ').includes(word))
const untilAllWords = (count: number): Promise<string[]> =>
  untilAnswers(`${count} words, once`, (answers) => answers.length === 1 && answers[0]?.trim() === repeatedWords(count))

test('a person signs in with PKCE and chats, and the browser stores no secret', async () => {
  const worker = await startWorkerInProcess(world)
  opened = await openConsole(browser, address)
  page = opened.page
  const token = developmentToken(world.config.SERVER_SECRET ?? '')
  await page.goto(`${address}/identity/open/${token}?email=newcomer@example.com`)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/identity/authorize**')
  await page.locator('form button').first().click()
  await page.locator('.shell').waitFor()
  await sendMessage(page, 'Look around.\n$ echo from-the-sandbox')
  await page.locator('details.tool', { hasText: 'from-the-sandbox' }).waitFor()
  await page.locator('.usage a', { hasText: 'Run' }).click()
  await page.locator('.timeline li', { hasText: 'bash' }).waitFor()
  const storedData = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  )
  expect(storedData).toBe('[{},{},""]')
  expect(opened.errors).toEqual([])
  await worker.stop()
})

test('after a worker is killed during an answer, the page shows the whole answer without duplicates', async () => {
  const doomed = await startWorkerProcess(world)
  const chat = await chatApi.openChatWithoutCommands()
  await openChatPage(chat)
  await sendMessage(page, '@words 150')
  await untilWord('word-25')
  await doomed.kill()
  const worker = await startWorkerInProcess(world)
  await untilAllWords(150)
  expect(opened.errors).toEqual([])
  await worker.stop()
})

test('the page continues an answer after the API is killed and restarted, and after a reload', async () => {
  const baseUrl = `http://localhost:${await freePort()}`
  const startApi = () => startApiProcess(world, { takenOver: baseUrl, settings: { BASE_URL: baseUrl } })
  const [doomed, worker] = await Promise.all([startApi(), startWorkerInProcess(world)])
  const chat = await chatApi.openChatWithoutCommands()
  await openChatPage(chat, baseUrl)
  await sendMessage(page, '@words 300')
  await untilWord('word-25')
  await doomed.kill()
  const api = await startApi()
  await untilWord('word-100')
  await page.reload()
  await signInByKey(page, chat.account.key)
  const [seen = ''] = await untilWord('word-100')
  const shrunk = await page.evaluate<boolean>(
    `new Promise((resolve) => {
      const length = () => document.querySelector('.message.assistant')?.textContent.length ?? 0
      let longest = length(), startedAt = performance.now()
      const look = () => {
        if (length() < longest * 0.9) return resolve(true)
        longest = Math.max(longest, length())
        if (performance.now() - startedAt > 1000) resolve(false)
        else requestAnimationFrame(look)
      }
      look()
    })`,
  )
  expect([seen.startsWith('word-1 word-2 '), shrunk]).toEqual([true, false])
  await untilAllWords(300)
  await Promise.all([api.stop(), worker.stop()])
})

test('two tabs show the same chat and its stopped answer, and a question is answered in the message', async () => {
  const worker = await startWorkerInProcess(world)
  const chat = await chatApi.openChatWithoutCommands()
  await openChatPage(chat)
  const other = await openConsole(browser, address)
  await other.page.goto(`${address}/console/chat/${chat.sessionId}/${chat.chatId}`)
  await signInByKey(other.page, chat.account.key)
  await sendMessage(page, '@words 400')
  await untilWord('word-10')
  await eventually('the answer in the other tab', async () =>
    (await readAnswers(other.page)).join(' ').includes('word-20') ? true : undefined,
  )
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.locator('.usage', { hasText: 'stopped' }).waitFor()
  await other.page.locator('.usage', { hasText: 'stopped' }).waitFor()
  await other.context.close()
  await sendMessage(page, '@ask Which format? WAV | MP3')
  await page.locator('.question label', { hasText: 'MP3' }).click()
  await page.getByRole('button', { name: 'Answer' }).click()
  await page.locator('.question dd', { hasText: 'MP3' }).waitFor()
  await page.locator('.composer button', { hasText: 'Send' }).waitFor()
  await worker.stop()
})

test('the files that a turn committed can be browsed, read and downloaded', async () => {
  const worker = await startWorkerInProcess(world)
  const chat = await chatApi.openChat()
  await openChatPage(chat)
  await sendMessage(page, '$ mkdir -p notes && echo from-the-turn > notes/plan.md')
  await page.getByText('Committed:').waitFor()
  await page.getByRole('link', { name: 'Files' }).click()
  await page.getByRole('link', { name: 'notes' }).click()
  await page.getByRole('link', { name: 'plan.md' }).click()
  await page.getByRole('region', { name: 'notes/plan.md' }).getByText('from-the-turn').waitFor()
  expect(await page.getByRole('list', { name: 'Commits' }).locator('li').count()).toBe(1)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('plan.md')
  expect(opened.errors).toEqual([])
  await worker.stop()
})

test('a person approves one call and denies another with a reason', async () => {
  const worker = await startWorkerInProcess(world)
  const chat = await chatApi.openChat()
  const approvals = { tools: ['bash'], commands: [] }
  await world.request('PATCH', `/api/sessions/${chat.sessionId}`, { key: chat.account.key, body: { approvals } })
  await openChatPage(chat)
  await sendMessage(page, '$ echo approved-run')
  const request = page.locator('.approval', { hasText: 'waiting for you' })
  await request.getByRole('button', { name: 'Approve' }).click()
  await page.locator('details.tool', { hasText: 'approved-run' }).waitFor()
  await page.getByRole('button', { name: 'Send' }).waitFor()
  await sendMessage(page, '$ echo denied-run')
  await request.getByLabel('Reason').fill('not today')
  await request.getByRole('button', { name: 'Deny' }).click()
  await page.getByText('Denied: not today').waitFor()
  expect(opened.errors).toEqual([])
  await worker.stop()
})

test('a person answers the questions and approvals of all chats in the inbox', async () => {
  const worker = await startWorkerInProcess(world)
  const approvalChat = await chatApi.openChat()
  const questionChat = await chatApi.openChatIn(approvalChat)
  const approvals = { tools: ['bash'], commands: [] }
  const { sessionId, account } = approvalChat
  await world.request('PATCH', `/api/sessions/${sessionId}`, { key: account.key, body: { approvals } })
  await chatApi.send(questionChat, '@ask Which format? WAV | MP3')
  await chatApi.send(approvalChat, '$ echo from-the-inbox')
  await open('/inbox', questionChat.account.key)
  await page.getByLabel('2 waiting').waitFor()
  const cards = page.locator('.inbox > li')
  await cards.filter({ hasText: 'Which format?' }).getByLabel('MP3').check()
  await page.getByRole('button', { name: 'Answer' }).click()
  await cards.nth(1).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Nothing is waiting for you.').waitFor()
  expect(await page.getByLabel('1 waiting').count()).toBe(0)
  await eventually('the end of the approved turn', async () => {
    const live = await world.db`
      select 1 from runs where chat_id = ${approvalChat.chatId} and status in ('queued', 'running')`
    return live.length === 0 || undefined
  })
  await openPath(page, `/chat/${approvalChat.sessionId}/${approvalChat.chatId}`)
  await page.locator('details.tool', { hasText: 'from-the-inbox' }).waitFor()
  await sendMessage(page, '$ echo once-more')
  await page.locator('.chat-head', { hasText: 'waiting for you' }).waitFor()
  await page.locator('.sessions li', { hasText: 'waiting for you' }).waitFor()
  expect(await page.title()).toContain('Waiting for you')
  await page.locator('.usage a').last().click()
  await page.locator('.figures', { hasText: 'waiting for you' }).waitFor()
  expect(opened.errors).toEqual([])
  await worker.stop()
})

test('messages sent during an answer are queued and can be moved, edited and removed', async () => {
  const worker = await startWorkerInProcess(world)
  const chat = await chatApi.openChatWithoutCommands()
  await openChatPage(chat)
  await sendMessage(page, '@words 400')
  await untilWord('word-5')
  const queued = page.getByRole('region', { name: 'Queued messages' }).locator('li')
  await sendMessage(page, 'first to wait')
  await queued.filter({ hasText: 'first to wait' }).waitFor()
  await sendMessage(page, 'second to wait')
  await queued.nth(1).getByRole('button', { name: 'Move up' }).click()
  await queued.first().filter({ hasText: 'second to wait' }).waitFor()
  await queued.first().getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByLabel('Queued message').fill('@say edited-answer')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await queued.first().filter({ hasText: 'edited-answer' }).waitFor()
  await queued.nth(1).getByRole('button', { name: 'Remove' }).click()
  await queued.filter({ hasText: 'first to wait' }).waitFor({ state: 'detached' })
  await page.getByLabel('Message', { exact: true }).fill('@say interrupting-answer')
  await page.getByRole('button', { name: 'Interrupt' }).click()
  await untilWord('interrupting-answer')
  await untilWord('edited-answer')
  expect((await readAnswers(page)).join(' ')).not.toContain('word-400')
  expect(opened.errors).toEqual([])
  await worker.stop()
})

test('a message is queued if another client has started a turn that the page does not show yet', async () => {
  const worker = await startWorkerInProcess(world)
  const chat = await chatApi.openChatWithoutCommands()
  await openChatPage(chat)
  const response = await chatApi.post(chat, '@words 80')
  await sendMessage(page, '@say queued-answer')
  await untilWord('queued-answer')
  expect((await readAnswers(page)).join(' ')).toContain('word-80')
  expect(await page.getByRole('region', { name: 'Message that was not sent' }).count()).toBe(0)
  await response.body?.cancel()
  await worker.stop()
})

test('a person switches between the versions of an answer and of a message', async () => {
  const worker = await startWorkerInProcess(world)
  const chat = await chatApi.openChatWithoutCommands()
  await openChatPage(chat)
  await sendMessage(page, '@say first-answer')
  await untilWord('first-answer')
  await page.getByRole('button', { name: 'Regenerate' }).click()
  await page.getByText('2 of 2').waitFor()
  await page.getByRole('button', { name: 'Previous version' }).click()
  await page.getByText('1 of 2').waitFor()
  await page.getByRole('button', { name: 'Edit this message' }).click()
  await page.getByLabel('Edited message').fill('@say other-answer')
  await page.locator('.message').getByRole('button', { name: 'Send', exact: true }).click()
  await untilWord('other-answer')
  expect(await readAnswers(page)).toHaveLength(1)
  expect(opened.errors).toEqual([])
  await worker.stop()
})

test('the output of an abandoned attempt disappears, and a failed turn shows its cause and can be retried', async () => {
  const worker = await startWorkerInProcess(world)
  const chat = await chatApi.openChatWithoutCommands()
  await openChatPage(chat)
  await page.evaluate(`{
    globalThis.maxAnswers = 0
    const count = () => (maxAnswers = Math.max(maxAnswers, document.querySelectorAll('.message.assistant .prose').length))
    new MutationObserver(count).observe(document.body, { childList: true, subtree: true, characterData: true })
  }`)
  await sendMessage(page, '@cut 20')
  await page.getByRole('button', { name: 'Regenerate' }).waitFor()
  expect(await page.evaluate('maxAnswers')).toBe(1)
  await sendMessage(page, '@badrequest')
  const failed = page.getByRole('alert').filter({ hasText: 'The answer failed' })
  await failed.locator('p').waitFor()
  expect(await failed.locator('p').innerText()).toContain('The model call failed')
  await failed.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('2 of 2').waitFor()
  await worker.stop()
})

test('a chat is summarized, shows where the summary ends, and is shared by a link until the link is revoked', async () => {
  const worker = await startWorkerInProcess(world)
  const chat = await chatApi.openChatWithoutCommands()
  await fillChat(world.db, chat.chatId, [
    say('first question'),
    say('first answer', 'assistant'),
    say('second question'),
  ])
  await openChatPage(chat)
  const choose = async (item: string): Promise<void> => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await choose('Summarize earlier messages')
  const note = page.locator('.message-row', { hasText: 'first answer' }).locator('.summary-note')
  await note.getByText('a summary of the 2 messages above').waitFor()
  await choose('Share')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create a link' }).click()
  const url = new URL(await dialog.getByLabel('Link, shown once').inputValue())
  const read = async (): Promise<string> => (await fetch(world.baseUrl + url.pathname)).text()
  expect(await read()).toContain('first answer')
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await dialog.getByRole('list', { name: 'Links' }).waitFor({ state: 'detached' })
  expect(await read()).not.toContain('first answer')
  expect(opened.errors).toEqual([])
  await worker.stop()
})

test('files and images can be attached, pasted and dropped, and code can be copied', async () => {
  const worker = await startWorkerInProcess(world)
  const chat = await chatApi.openChatWithoutCommands()
  await fillChat(world.db, chat.chatId, [say('code'), say('```js\nlet x = 1\n```', 'assistant')])
  await openChatPage(chat)
  await page.getByLabel('Files to attach').setInputFiles([
    { name: 'cover.png', mimeType: 'image/png', buffer: picture() },
    { name: 'notes.md', mimeType: '', buffer: Buffer.from('# Notes') },
  ])
  const previews = page.getByRole('list', { name: 'Attachments' }).locator('li')
  await previews.nth(1).waitFor()
  const dispatchFile = (event: string, member: string, name: string): Promise<void> =>
    page.evaluate(`{
      const data = new DataTransfer()
      data.items.add(new File(['words'], '${name}', { type: 'text/plain' }))
      const init = { bubbles: true, cancelable: true, ${member}: data }
      document.querySelector('.composer textarea').dispatchEvent(new ${event}('${event === 'DragEvent' ? 'drop' : 'paste'}', init))
    }`)
  await dispatchFile('ClipboardEvent', 'clipboardData', 'pasted.txt')
  await previews.filter({ hasText: 'pasted.txt' }).waitFor()
  await dispatchFile('DragEvent', 'dataTransfer', 'dropped.txt')
  await previews.filter({ hasText: 'dropped.txt' }).getByRole('button', { name: 'Remove dropped.txt' }).click()
  await page
    .getByLabel('Files to attach')
    .setInputFiles([{ name: 'songs.zip', mimeType: 'application/zip', buffer: Buffer.from([80, 75, 0, 255]) }])
  await page.getByText('songs.zip: Models cannot read').waitFor()
  await sendMessage(page, '@say thanks')
  await page.getByAltText('cover.png').waitFor()
  await page.getByRole('link', { name: 'notes.md' }).waitFor()
  await page.getByRole('link', { name: 'pasted.txt' }).waitFor()
  expect(await previews.count()).toBe(0)
  await opened.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy the code' }).click()
  await page.getByText('Copied.').waitFor()
  expect(opened.errors).toEqual([])
  await worker.stop()
})

test('an unsent message and a draft survive a reload', async () => {
  const worker = await startWorkerInProcess(world)
  const chat = await chatApi.openChatWithoutCommands()
  await openChatPage(chat)
  await opened.context.setOffline(true)
  await sendMessage(page, '@say sent-in-the-end')
  const unsent = page.getByRole('region', { name: 'Message that was not sent' })
  await unsent.getByText('Not sent: The API cannot be reached.').waitFor()
  await page.getByLabel('Message', { exact: true }).fill('half a thought')
  await opened.context.setOffline(false)
  await page.reload()
  await signInByKey(page, chat.account.key)
  await unsent.getByRole('button', { name: 'Retry' }).click()
  await untilWord('sent-in-the-end')
  expect(await unsent.count()).toBe(0)
  expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('half a thought')
  await worker.stop()
})

test('markup in titles, answers and tool calls is shown as text', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const output = { success: true, exitCode: 0, stdout: hostile, stderr: '' }
  const input = { filePath: hostile, content: hostile }
  await fillChat(world.db, chat.chatId, [
    say(hostile),
    {
      ...say(hostile, 'assistant'),
      parts: [
        { type: 'text', text: hostile },
        { type: 'tool-bash', toolCallId: 'c1', state: 'output-available', input: { command: hostile }, output },
        { type: 'tool-write', toolCallId: 'c2', state: 'output-available', input, output: { success: true } },
        { type: `tool-${hostile}`, toolCallId: 'c3', state: 'output-error', input: hostile, errorText: hostile },
      ],
    },
  ] as Parameters<typeof fillChat>[2])
  await world.db`update sessions set title = ${hostile} where id = ${chat.sessionId}`
  await world.db`update chats set title = ${hostile} where id = ${chat.chatId}`
  await openChatPage(chat)
  await page.locator('.message.assistant', { hasText: 'onerror' }).waitFor()
  for (const summary of await page.locator('.tool > summary').all()) await summary.click()
  expect(await page.evaluate('globalThis.pwned')).toBeUndefined()
  expect(await page.locator('main img, main script, main a[href^="javascript"]').count()).toBe(0)
  expect(await page.locator('.chat-head h1').innerText()).toContain('<script>')
  expect(opened.errors).toEqual([])
})

test('a chat with 2,000 messages renders only the visible messages', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const messages = Array.from({ length: 2000 }, (_, index) =>
    say(`Message ${index} ${'with some words '.repeat(index % 30)}`, index % 2 === 0 ? 'user' : 'assistant'),
  )
  await fillChat(world.db, chat.chatId, messages)
  await open('/chat', chat.account.key)
  await page.evaluate(`
    globalThis.longTaskMs = []
    new PerformanceObserver((list) => longTaskMs.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: 'longtask' })`)
  await openPath(page, `/chat/${chat.sessionId}/${chat.chatId}`)
  await page.getByText('Message 1999', { exact: false }).waitFor()
  const countElements = () => page.evaluate<number>("document.querySelectorAll('main *').length")
  expect(await countElements()).toBeLessThan(1500)
  for (const share of [0.75, 0.5, 0.25, 0]) {
    await page.evaluate(
      `{ const all = document.querySelector('.messages'); all.scrollTop = all.scrollHeight * ${share} }`,
    )
    await eventually('other messages', async () => ((await page.locator('.message').count()) > 2 ? true : undefined))
    expect(await countElements()).toBeLessThan(1500)
  }
  await page.getByText('Message 0', { exact: true }).waitFor()
  // Other load on the machine makes tasks longer.
  expect(Math.max(0, ...(await page.evaluate<number[]>('longTaskMs')))).toBeLessThan(1000)
})

test('a page whose key was deleted shows the sign-in page, and signing in returns to the same page', async () => {
  const account = await world.makeAccount()
  const key = await world.makeKey(account.id, { name: 'doomed' })
  await open('/tasks', key)
  await page.getByRole('heading', { name: 'Tasks', exact: true }).waitFor()
  await world.db`delete from account_api_keys where account_id = ${account.id} and name = 'doomed'`
  await page.getByText('Your sign-in has ended').waitFor()
  await signInByKey(page, account.key)
  await page.getByRole('heading', { name: 'Tasks', exact: true }).waitFor()
})
