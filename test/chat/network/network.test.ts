import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteDeadKeys, insertRunKey, deriveRunKey } from '../../../db/runs/keys.ts'
import { connectClient } from '../../../engine/connect.ts'
import { listFrames, readTranscript } from '../../world/transcript.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { createChatApi, until, type OpenChat } from '../chat-api.ts'

let world: World
let chatApi: ReturnType<typeof createChatApi>
beforeAll(async () => {
  world = await createWorld()
  chatApi = createChatApi(world)
})
afterAll(() => world.close())

const buildKey = (runId: string): string => deriveRunKey(world.config.SERVER_SECRET ?? '', runId)

const requestId = (key: string) => world.request('GET', '/api/accounts/id', { key })

/** Runs a command in a turn. Returns its output, the run id and the transcript. */
const runCommand = async (chat: OpenChat, command: string) => {
  const response = await chatApi.post(chat, `$ ${command}`)
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const transcript = await readTranscript(response)
  const output = listFrames(transcript).find(({ type }) => type === 'tool-output-available')?.['output']
  return { runId, transcript, stdout: (output as { stdout: string }).stdout }
}

const readHistory = async (runId: string): Promise<string> => {
  const { temporalAddress: address, config } = world
  const engine = await connectClient({ address, namespace: config.TEMPORAL_NAMESPACE, tls: false })
  try {
    return JSON.stringify(await engine.client.workflow.getHandle(runId).fetchHistory())
  } finally {
    await engine.close()
  }
}

/** Lists the tables with a row that contains the text. */
const listTablesWith = async (text: string): Promise<string[]> => {
  const tables = await world.db<{ name: string }[]>`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await world.db`
        select 1 from ${world.db.unsafe(name)} t where strpos(t::text, ${text}) > 0 limit 1`
      return rows.length > 0 ? [name] : []
    }),
  )
  return found.flat()
}

test('a command has the access of the owner of its chat, but cannot read the key', async () => {
  const chat = await chatApi.openChat()
  const { runId, stdout, transcript } = await runCommand(
    chat,
    'curl -sS $PLATFORM_API_URL/api/accounts/id; env; cat /proc/*/environ /proc/*/cmdline; git config -l; find / -xdev -type f -newer /etc/passwd 2>/dev/null | xargs cat 2>/dev/null',
  )
  expect(stdout).toContain(`"accountId":"${chat.account.id}"`)
  const key = buildKey(runId)
  for (const secret of [key, key.slice(3), chat.account.key]) expect(JSON.stringify(transcript)).not.toContain(secret)
  expect(await readHistory(runId)).not.toContain(key)
  expect(await listTablesWith(key)).toEqual([])
  expect(await listTablesWith(runId)).toContain('public.runs')
})

test('the key of a run is listed from its first use and rejected after the run', async () => {
  const chat = await chatApi.openChat()
  const listNames = async (): Promise<string[]> => {
    const { body } = await world.request<{ keys: { name: string }[] }>('GET', '/api/keys', { key: chat.account.key })
    return body.keys.map(({ name }) => name)
  }
  expect((await listNames()).filter((name) => name.startsWith('ephemeral'))).toEqual([])
  const response = await chatApi.post(chat, '$ curl -sS $PLATFORM_API_URL/api/accounts/id; sleep 60')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const reading = readTranscript(response)
  await until(listNames, (listed) => listed.includes(`ephemeral:${runId}`))
  expect(await requestId(buildKey(runId))).toMatchObject({ status: 200, body: { accountId: chat.account.id } })
  await chatApi.stop(chat)
  await reading
  expect(await listNames()).not.toContain(`ephemeral:${runId}`)
  await eventually('the revocation of the key', async () =>
    (await requestId(buildKey(runId))).status === 401 ? true : undefined,
  )
})

test('a run cannot manage keys, and each run has a different key', async () => {
  const chat = await chatApi.openChat()
  const { stdout } = await runCommand(
    chat,
    `curl -sS -o /dev/null -w '%{http_code} ' $PLATFORM_API_URL/api/keys; curl -sS -o /dev/null -w '%{http_code} ' -d '{"key_name":"x"}' -H 'content-type: application/json' $PLATFORM_API_URL/api/keys; curl -sS -o /dev/null -w '%{http_code}' -d '{"email":"a@example.com"}' -H 'content-type: application/json' $PLATFORM_API_URL//identity/token`,
  )
  expect(stdout).toBe('403 403 403')
  expect(buildKey('wrun_a')).not.toBe(buildKey('wrun_b'))
  expect(buildKey('wrun_a')).toMatch(/^sk_[A-Za-z0-9_-]{43}$/)
})

test('an ended run gets no key, and its remaining keys are revoked', async () => {
  const { id } = await world.makeAccount()
  const insertRun = async (status: string): Promise<string> => {
    const runId = `wrun_${randomUUID()}`
    await world.db`
      insert into runs (id, account_id, session_id, chat_id, assistant_message_id, status, source, model_id)
      values (${runId}, ${id}, gen_random_uuid(), gen_random_uuid(), 'answer', ${status}, 'api', 'local/assistant')`
    await insertRunKey(world.db, world.config.SERVER_SECRET ?? '', runId)
    return runId
  }
  const listed = async (): Promise<unknown[]> => {
    const rows = await world.db`select run_id from account_api_keys where account_id = ${id} and run_id is not null`
    return rows.map((row) => row['runId'] as unknown)
  }
  await insertRun('completed')
  expect(await listed()).toEqual([])
  const runId = await insertRun('running')
  await insertRunKey(world.db, world.config.SERVER_SECRET ?? '', runId)
  await deleteDeadKeys(world.db)
  expect(await listed()).toEqual([runId])
  await world.db`update runs set status = 'failed', ended_at = now() where id = ${runId}`
  await deleteDeadKeys(world.db)
  expect(await listed()).toEqual([])
})
