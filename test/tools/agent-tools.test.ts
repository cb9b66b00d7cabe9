import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { selectDrivers, findDefaultDriver, type Driver } from '../providers/sandbox/contract.ts'
import { startServer, type TestServer } from '../providers/egress/servers.ts'
import { createFakeModel, type FakeModel } from '../world/models/fake-model.ts'
import { listFaults, listFrames, shownText } from '../world/transcript.ts'
import { createWorld, type World } from '../world/world.ts'
import { createChatApi, type OpenChat } from '../chat/chat-api.ts'

let platform: TestServer
beforeAll(async () => {
  platform = await startServer('127.0.0.1', (request, response) => {
    const url = new URL(request.url ?? '', 'http://platform')
    if (url.pathname === '/away') response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    else if (url.pathname === '/long') response.end('ö'.repeat(9000))
    else if (url.pathname === '/latin')
      response.writeHead(200, { 'content-type': 'text/plain; charset=iso-8859-1' }).end(Buffer.from([0x4d, 0xfc]))
    else if (url.pathname === '/missing') response.writeHead(404).end('not here')
    else response.end(`hello ${request.method}`)
  })
})
afterAll(() => platform.close())

/** Returns the tool outputs of one turn, in call order. */
const runForOutputs = async (world: World, chat: OpenChat, content: string): Promise<Record<string, unknown>[]> => {
  const transcript = await createChatApi(world).send(chat, content)
  expect(listFaults(transcript)).toEqual([])
  const frames = listFrames(transcript)
  const callIds = frames.filter(({ type }) => type === 'tool-input-available').map((frame) => frame['toolCallId'])
  const outputs = new Map(
    frames
      .filter(({ type }) => type === 'tool-output-available')
      .map((frame) => [frame['toolCallId'], frame['output'] as Record<string, unknown>]),
  )
  return callIds.map((id) => outputs.get(id) ?? {})
}

const call = (tool: string, input: object): string => `@call ${tool} ${JSON.stringify(input)}`

const makeSkill = (folder: string, frontMatter: string, body: string): string =>
  call('write', {
    filePath: `/home/agent/.agents/skills/${folder}/SKILL.md`,
    content: `---\n${frontMatter}\n---\n${body}`,
  })

const defaultDriver = await findDefaultDriver()

const describeTools = (driver: Driver): void => {
  const title = driver.available ? driver.name : `${driver.name} (skipped: ${driver.reason})`
  describe.skipIf(!driver.available)(title, () => {
    let world: World
    let model: FakeModel
    beforeAll(async () => {
      model = await createFakeModel()
      world = await createWorld({
        settings: {
          SANDBOX_PROVIDER: driver.name,
          BASE_URL: platform.origin,
          MODEL_BASE_URL: model.url,
          DEFAULT_MODEL: 'local/assistant',
        },
      })
    })
    afterAll(async () => {
      await world.close()
      await model.close()
    })

    test('grep and glob search the sandbox', async () => {
      const chat = await createChatApi(world).openChat()
      const [, , grepResult, listed] = await runForOutputs(
        world,
        chat,
        [
          '@write songs/one.md beats per minute: 120',
          '@write songs/two.txt beats per minute: 90',
          '---',
          call('grep', { pattern: 'minute: [0-9]{3}$', path: 'songs' }),
          call('glob', { pattern: 'songs/**/*.{md,txt}' }),
        ].join('\n'),
      )
      expect(grepResult).toEqual({
        success: true,
        pattern: 'minute: [0-9]{3}$',
        matchCount: 1,
        filesWithMatches: 1,
        matches: [{ file: 'songs/one.md', line: 1, content: 'beats per minute: 120' }],
      })
      expect(listed).toMatchObject({ success: true, baseDir: '.', count: 2 })
    })

    test('skills of the sandbox are listed for the model and loaded with their arguments', async () => {
      const chat = await createChatApi(world).openChat()
      const file = [
        makeSkill('mix', 'name: Mix\ndescription: Mixes stems', 'Mix $ARGUMENTS now.'),
        makeSkill('quiet', 'name: quiet\ndescription: For users\ndisable-model-invocation: true', 'Hush.'),
        makeSkill('twin', 'name: mix\ndescription: Another one', 'Never.'),
        makeSkill('resume', 'name: resume\ndescription: A command', 'Never.'),
        makeSkill('broken', 'name: broken', 'Never.'),
      ]
      await runForOutputs(world, chat, file.join('\n'))
      const [mixed, quiet, unknown] = await runForOutputs(
        world,
        chat,
        [
          call('skill', { skill: 'MIX', args: 'drums' }),
          call('skill', { skill: 'quiet' }),
          call('skill', { skill: 'broken' }),
        ].join('\n'),
      )
      expect(mixed).toEqual({
        success: true,
        skillName: 'Mix',
        skillPath: '/home/agent/.agents/skills/mix',
        content: 'Skill directory: /home/agent/.agents/skills/mix\n\nMix drums now.',
      })
      expect(quiet).toEqual({ success: false, error: 'Only the user may request the skill quiet' })
      expect(unknown).toEqual({ success: false, error: 'There is no skill "broken". Skills: Mix, platform' })

      await world.db`update chats set model_id = 'custom/seen' where id = ${chat.chatId}`
      await createChatApi(world).send(chat, 'What can you do?')
      const { messages, tools } = model.requests.at(-1)?.body ?? {}
      const prompt = JSON.stringify(messages?.[0])
      expect(prompt).toContain('- Mix: Mixes stems')
      expect(prompt).toContain('- platform: Reads and changes data')
      expect(prompt).not.toMatch(/quiet|Another one|A command/)
      expect(JSON.stringify(tools)).toContain('"skill"')
    })

    test('a skill that is written during a turn is available from the next turn on', async () => {
      const chat = await createChatApi(world).openChat()
      const skillCall = call('skill', { skill: 'late' })
      const file = makeSkill('late', 'name: late\ndescription: Comes late', 'Here.')
      const [, early] = await runForOutputs(world, chat, `${file}\n---\n${skillCall}`)
      expect(early).toEqual({ success: false, error: 'There is no skill "late". Skills: platform' })
      expect(await runForOutputs(world, chat, skillCall)).toMatchObject([{ success: true, skillName: 'late' }])
    })

    // The remaining tests do not depend on the driver.
    if (driver.name !== defaultDriver?.name) return

    test('an invalid tool input is reported to the model', async () => {
      const chat = await createChatApi(world).openChat()
      const transcript = await createChatApi(world).send(chat, call('grep', { pattern: 'x' }))
      expect(listFaults(transcript)).toEqual([])
      const [error] = listFrames(transcript).filter(({ type }) => type === 'tool-input-error')
      expect(error?.['errorText']).toMatch(/Invalid input at path/)
    })

    test("the platform's skill is available in the first turn and can be loaded by its name", async () => {
      const chat = await createChatApi(world).openChat()
      const [loaded] = await runForOutputs(world, chat, call('skill', { skill: 'Platform' }))
      expect(loaded).toMatchObject({
        success: true,
        skillName: 'platform',
        skillPath: '/home/agent/.agents/skills/platform',
      })
      const [first, second, third] = String(loaded?.['content']).split('\n')
      expect([first, second]).toEqual(['Skill directory: /home/agent/.agents/skills/platform', ''])
      expect(third).toBe("# The platform's API")
      expect(loaded?.['content']).toContain('$PLATFORM_API_URL')
    })

    test('a turn reads skills from the sandbox only if a tool may have changed them', async () => {
      const chatApi = createChatApi(world)
      const chat = await chatApi.openChat()
      const readSeenAt = async (): Promise<string> => {
        const [row] = await world.db<{ at: string }[]>`
          select seen_at::text as at from session_skills where session_id = ${chat.sessionId}`
        return row?.at ?? 'never'
      }
      const first = await readSeenAt()
      expect(first).not.toBe('never')
      await chatApi.send(chat, 'words alone')
      await chatApi.send(chat, call('glob', { pattern: '*' }))
      await chatApi.send(chat, '$ true')
      expect(await readSeenAt()).toBe(first)
      await chatApi.send(chat, 'words again')
      const second = await readSeenAt()
      expect(second).not.toBe(first)
      await chatApi.send(chat, 'and again')
      expect(await readSeenAt()).toBe(second)
    })

    test('a sandbox that does not respond has no skills, and the turn continues', async () => {
      const chat = await createChatApi(world).openChat()
      await world.db`update sessions set sandbox_state = null where id = ${chat.sessionId}`
      const transcript = await createChatApi(world).send(chat, '@say all the same')
      expect(listFaults(transcript)).toEqual([])
      expect(shownText(transcript)).toBe('all the same')
    })

    test('the skill tool is not offered if there is no skill', async () => {
      const chat = await createChatApi(world).openChat()
      await runForOutputs(world, chat, '$ rm -r ~/.agents')
      await world.db`update chats set model_id = 'custom/seen' where id = ${chat.chatId}`
      await createChatApi(world).send(chat, 'What can you do?')
      const { messages, tools } = model.requests.at(-1)?.body ?? {}
      expect(JSON.stringify(tools)).not.toContain('"skill"')
      expect(JSON.stringify(messages?.[0])).not.toContain('# Skills')
    })

    test('fetch reaches the platform with the run key, but no other private address', async () => {
      const chat = await createChatApi(world).openChat()
      const before = platform.requests.length
      const url = platform.origin
      const lines = [
        call('fetch', { url: `${url}/x` }),
        call('fetch', { url: `${url}/y`, method: 'POST', headers: { 'Idempotency-Key': 'mine' }, body: 'sent' }),
        call('fetch', { url: `${url}/missing`, body: 'ignored' }),
        call('fetch', { url: `${url}/long` }),
        call('fetch', { url: `${url}/latin` }),
        call('fetch', { url: `${url}/away` }),
        call('fetch', { url: world.baseUrl }),
        call('fetch', { url: 'http://169.254.169.254/latest/meta-data/' }),
        call('fetch', { url: 'file:///etc/passwd' }),
      ]
      const [fetched, posted, missing, long, latin, ...refused] = await runForOutputs(world, chat, lines.join('\n'))
      expect(fetched).toEqual({ success: true, status: 200, body: 'hello GET', truncated: false })
      expect(posted).toMatchObject({ success: true, body: 'hello POST' })
      expect(missing).toEqual({ success: true, status: 404, body: 'not here', truncated: false })
      expect(long).toEqual({ success: true, status: 200, body: 'ö'.repeat(5000), truncated: true })
      expect(latin).toMatchObject({ body: 'Mü' })
      const notPublic = { success: false, error: 'The address is not public' }
      const notHttp = { success: false, error: 'Only HTTP and HTTPS URLs without credentials can be fetched' }
      expect(refused).toEqual([notPublic, notPublic, notPublic, notHttp])
      const recordedRequests = platform.requests.slice(before)
      const findRequest = (path: string) => recordedRequests.find((request) => request.path === path)
      expect(findRequest('/x')?.headers['idempotency-key']).toMatch(/^wrun_[0-9A-Z]{26}:call_[0-9A-Z]{26}$/)
      expect(findRequest('/y')).toMatchObject({ method: 'POST', body: 'sent', headers: { 'idempotency-key': 'mine' } })
      expect(findRequest('/missing')).toMatchObject({ method: 'GET', body: '' })
      for (const { headers } of recordedRequests) {
        expect(headers['x-api-key']).toMatch(/^sk_/)
        expect(headers).not.toHaveProperty('authorization')
      }
    })

    test('fetch works without a sandbox', async () => {
      const chat = await createChatApi(world).openChat()
      await world.db`update sessions set sandbox_state = null where id = ${chat.sessionId}`
      const [fetched] = await runForOutputs(world, chat, call('fetch', { url: `${platform.origin}/z` }))
      expect(fetched).toMatchObject({ success: true, status: 200 })
    })
  })
}

for (const driver of await selectDrivers()) describeTools(driver)
