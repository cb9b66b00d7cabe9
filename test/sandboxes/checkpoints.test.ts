import { randomInt, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listUnusedPacks } from '../../db/sandboxes/checkpoints.ts'
import { createSandboxPlaces } from '../../db/sandboxes/places.ts'
import { freePort } from '../../dev/stack/ports.ts'
import { connectedAfterSeconds, silentAfterSeconds } from '../../domain/operator/fleet.ts'
import { removeSandbox } from '../../workflows/sandboxes/messages.ts'
import type { OpenChat } from '../chat/chat-api.ts'
import { localDrivers } from '../providers/sandbox/contract.ts'
import { createFakeModel, type FakeModel, type FakeResponse } from '../world/models/fake-model.ts'
import { startObjectStore } from '../world/repositories/code-host.ts'
import { listFaults, listFrames, type Transcript } from '../world/transcript.ts'
import { createWorld, eventually, type World } from '../world/world.ts'
import { createSandboxApi } from './lifecycle/sandbox-api.ts'

const bubblewrap = (await localDrivers()).find(({ name }) => name === 'bubblewrap')
const maxMegabytes = 4

type Row = {
  packs: { id: string; bytes: number }[]
  takenAt: Date | null
  runId: string
  step: number | null
  changedAt: Date | null
}

const nameOf = ({ sessionId }: OpenChat): string => `session-${sessionId}`

/** Text that is written for some seconds. */
const slowText = { text: 'This takes some time, which suffices for a loss.', wordsPerSecond: 4 }

const bash = (command: string): FakeResponse['calls'] => [{ name: 'bash', arguments: { command } }]

const readOutputs = (transcript: Transcript): string[] =>
  listFrames(transcript).flatMap(({ type, output }) =>
    type === 'tool-output-available' ? [(output as { stdout?: string }).stdout ?? JSON.stringify(output)] : [],
  )

const findLoss = (transcript: Transcript) =>
  listFrames(transcript).find(({ type }) => type === 'data-sandbox-loss')?.['data'] as
    | { checkpoint: { at: string; runId: string; step: number } | null; text: string; epoch: number }
    | undefined

describe.skipIf(bubblewrap?.available !== true)('checkpoints of sandboxes', () => {
  let world: World
  let model: FakeModel
  let store: Awaited<ReturnType<typeof startObjectStore>>
  let api: ReturnType<typeof createSandboxApi>
  beforeAll(async () => {
    model = await createFakeModel()
    store = await startObjectStore()
    world = await createWorld({
      settings: {
        ...store.settings,
        SANDBOX_PROVIDER: 'bubblewrap',
        SANDBOX_ADDRESS: `127.0.0.1:${await freePort()}`,
        SANDBOX_CHECKPOINT_MB: String(maxMegabytes),
        MODEL_BASE_URL: model.url,
        DEFAULT_MODEL: 'local/assistant',
      },
    })
    api = createSandboxApi(world)
  })
  afterAll(async () => {
    await world.close()
    await model.close()
    await store.s3.close()
  })

  const openChat = async (): Promise<OpenChat> => {
    const chat = await api.chatApi.openChat()
    await world.db`update chats set model_id = 'custom/default' where id = ${chat.chatId}`
    return chat
  }

  const findRow = async (chat: OpenChat): Promise<Row | undefined> => {
    const [row] = await world.db<Row[]>`select * from sandbox_checkpoints where sandbox_name = ${nameOf(chat)}`
    return row
  }

  const untilCheckpoint = (chat: OpenChat, condition: (row: Row) => boolean): Promise<Row> =>
    eventually('the checkpoint', async () => {
      const row = await findRow(chat)
      return row !== undefined && row.changedAt === null && condition(row) ? row : undefined
    })

  /** Moves the sandbox in the database to a machine that no process serves. Its files are deleted when it is restored. */
  const loseMachine = async (chat: OpenChat): Promise<void> => {
    const machine = randomUUID()
    await world.db`update sandbox_places set machine_id = ${machine} where sandbox_name = ${nameOf(chat)}`
    await world.db`
      update sessions set sandbox_state = sandbox_state || ${world.db.json({ machine })} where id = ${chat.sessionId}`
    // A machine may declare another machine lost only after it has reported for some time.
    await world.db`update machines set reports_since = now() - interval '1 minute'`
  }

  test('uncommitted files of a step are restored after the loss of the machine in a later step', async () => {
    const chat = await openChat()
    model.next(
      { calls: bash('echo one > file; echo home > ~/home; echo built > ignored; echo ignored > .gitignore') },
      { ...slowText, calls: bash('cat file ~/home ignored; git status --short') },
      { text: 'done' },
    )
    const sending = api.chatApi.send(chat, 'write and read')
    const row = await untilCheckpoint(chat, ({ packs }) => packs.length > 0)
    expect(row).toMatchObject({ step: 0 })
    await loseMachine(chat)
    const transcript = await sending
    expect(listFaults(transcript)).toEqual([])
    expect(readOutputs(transcript)[1]).toBe('one\nhome\nbuilt\n?? .gitignore\n?? file\n')
    const at = row.takenAt?.toISOString()
    const loss = findLoss(transcript)
    expect(loss).toMatchObject({ epoch: 2, checkpoint: { at, runId: row.runId, step: 0 } })
    expect(loss?.text).toContain(`created again with the files of its checkpoint at ${at}: later changes`)
    const messages = model.requests.at(-1)?.body.messages as { role: string; content: unknown }[]
    expect(JSON.stringify(messages.at(-1)?.content)).toContain(`its checkpoint at ${at}`)
    await untilCheckpoint(chat, ({ step, packs }) => step === null && packs.length > 0)
  })

  test('a loss in the middle of a step loses the changes of this step only, even after the loss of a worker', async () => {
    const chat = await openChat()
    model.next({ calls: bash('echo one > first') }, { text: 'done' })
    await api.chatApi.send(chat, 'write')
    await untilCheckpoint(chat, ({ step }) => step === null)
    // The worker of the first turn was lost before it took a checkpoint.
    await world.db`
      update sandbox_checkpoints set packs = '[]', taken_at = null, changed_at = now()
      where sandbox_name = ${nameOf(chat)}`
    const begun = join(world.config.DATA_DIR, 'sandboxes', nameOf(chat), 'workspace', 'begun')
    model.next(
      { calls: bash('echo two > ~/second; echo two > begun; while [ -e begun ]; do sleep 0.1; done') },
      { calls: bash('cat first; ls ~/second begun 2>&1 | wc -l') },
      { text: 'done' },
    )
    const sending = api.chatApi.send(chat, 'write more')
    await eventually('the command', async () => existsSync(begun) || undefined)
    const before = await findRow(chat)
    expect(before?.packs).toHaveLength(1)
    await loseMachine(chat)
    await rm(begun)
    const transcript = await sending
    expect(readOutputs(transcript)[1]).toBe('one\n2\n')
    expect(findLoss(transcript)?.checkpoint?.at).toBe(before?.takenAt?.toISOString())
  })

  test('the files after a push are restored with its commit', async () => {
    const chat = await openChat()
    model.next({ calls: bash('echo one > file') }, { text: 'done' })
    await api.chatApi.send(chat, 'write')
    await untilCheckpoint(chat, ({ step }) => step === null)
    await loseMachine(chat)
    model.next({ calls: bash('git status --short --branch; git log --oneline | wc -l') }, { text: 'done' })
    expect(readOutputs(await api.chatApi.send(chat, 'look'))[0]).toMatch(/^## .+\n2\n$/)
  })

  /**
   * Moves the sandbox in the database to a machine that reported recently and whose worker died three seconds ago. No process
   * listens on its address.
   */
  const crashMachine = async (chat: OpenChat): Promise<string> => {
    const machine = randomUUID()
    const address = `127.0.0.1:${await freePort()}`
    await world.db`
      insert into machines (id, address, build, sandbox_address, seen_at)
      values (${machine}, 'crashed', 'build', ${address}, now() - interval '4 s')`
    await world.db`
      insert into process_reports
        (process_id, part, machine_id, host, pid, build, started_at, figures, reported_at, answered_at)
      values (${randomInt(1_000_000, 2_000_000)}, 'worker', ${machine}, 'crashed', 1, 'build', now() - interval '1 minute', '{}',
        now() - interval '4 s', now() - interval '3 s')`
    await world.db`update sandbox_places set machine_id = ${machine} where sandbox_name = ${nameOf(chat)}`
    await world.db`
      update sessions set sandbox_state = sandbox_state || ${world.db.json({ machine })} where id = ${chat.sessionId}`
    return machine
  }

  /** Waits until the worker has held its lock for as long as it needs to declare that another machine has crashed. */
  const untilObserver = () =>
    eventually(
      'the session of the lock',
      async () => {
        const [row] = await world.db`
          select 1 from pg_stat_activity where datname = current_database() and application_name like 'backline lock%'
            and backend_start < now() - make_interval(secs => ${connectedAfterSeconds})`
        return row
      },
      30_000,
    )

  test('a sandbox of a crashed machine is restored before the machine counts as lost', async () => {
    const chat = await openChat()
    model.next({ calls: bash('echo one > file; echo home > ~/home') }, { text: 'done' })
    await api.chatApi.send(chat, 'write')
    const row = await untilCheckpoint(chat, ({ step }) => step === null)
    await untilObserver()
    const machine = await crashMachine(chat)
    model.next({ calls: bash('cat file ~/home') }, { text: 'done' })
    const transcript = await api.chatApi.send(chat, 'read')
    expect(readOutputs(transcript)[0]).toMatch(/^one\nhome\n/)
    expect(findLoss(transcript)).toMatchObject({ epoch: 2, checkpoint: { at: row.takenAt?.toISOString() } })
    const [isSilent] = await world.db`
      select 1 from machines where id = ${machine} and seen_at < now() - make_interval(secs => ${silentAfterSeconds})`
    expect(isSilent).toBeUndefined()
  })

  test('a crashed machine is waited for if its processes live, it was stopped, or its files are not in a checkpoint', async () => {
    const chat = await openChat()
    model.next({ calls: bash('echo one > file') }, { text: 'done' })
    await api.chatApi.send(chat, 'write')
    await untilCheckpoint(chat, ({ step }) => step === null)
    await untilObserver()
    const [observer] = await world.db<{ id: string; processId: number }[]>`
      select machine_id as id, process_id from process_reports where part = 'worker' and host <> 'crashed'`
    const machine = await crashMachine(chat)
    const places = createSandboxPlaces(world.db, observer?.id ?? '')
    const hasCrashed = () => places.hasCrashed(nameOf(chat), machine)
    const name = nameOf(chat)
    const cases: [change: () => Promise<unknown>, undo: () => Promise<unknown>][] = [
      [
        () => world.db`update process_reports set answered_at = now() where machine_id = ${machine}`,
        () => world.db`update process_reports set answered_at = now() - interval '3 s' where machine_id = ${machine}`,
      ],
      [
        () => world.db`update machines set seen_at = now() where id = ${machine}`,
        () => world.db`update machines set seen_at = now() - interval '4 s' where id = ${machine}`,
      ],
      [
        () => world.db`update process_reports set machine_id = ${machine} where process_id = ${observer!.processId}`,
        () =>
          world.db`update process_reports set machine_id = ${observer!.id} where process_id = ${observer!.processId}`,
      ],
      [
        () => world.db`update sandbox_checkpoints set is_too_large = true where sandbox_name = ${name}`,
        () => world.db`update sandbox_checkpoints set is_too_large = false where sandbox_name = ${name}`,
      ],
      [
        () => world.db`
          with pack as (insert into sandbox_packs (id, sandbox_name) values ('pack_a', ${name}), ('pack_b', ${name}))
          update sandbox_checkpoints set packs = '[]', run_id = packs::text where sandbox_name = ${name}`,
        () => world.db`update sandbox_checkpoints set packs = run_id::jsonb where sandbox_name = ${name}`,
      ],
      [() => world.db`delete from process_reports where machine_id = ${machine}`, () => Promise.resolve()],
    ]
    for (const [change, undo] of cases) {
      expect(await hasCrashed()).toBe(true)
      await change()
      expect(await hasCrashed(), String(change)).toBe(false)
      await undo()
    }
  })

  test('files that exceed the limit are not stored, and the loss reports it', async () => {
    const chat = await openChat()
    model.next(
      { calls: bash(`echo one > file; head -c ${(maxMegabytes + 1) * 1_000_000} /dev/zero > ~/large`) },
      { ...slowText, calls: bash('cat file; ls ~/large') },
      { text: 'done' },
    )
    const sending = api.chatApi.send(chat, 'write')
    await untilCheckpoint(chat, ({ packs }) => packs.length === 0)
    await loseMachine(chat)
    const transcript = await sending
    expect(readOutputs(transcript)[1]).not.toContain('one')
    expect(findLoss(transcript)).toMatchObject({ checkpoint: null })
    expect(findLoss(transcript)?.text).toMatch(/has the files of commit.*exceeded the size limit of checkpoints/)
  })

  test('a step that changes no files takes no checkpoint, and small changes are stored as small packs', async () => {
    const chat = await openChat()
    model.next({ calls: [{ name: 'glob', arguments: { pattern: '*' } }] }, { text: 'done' })
    await api.chatApi.send(chat, 'look')
    expect((await findRow(chat))?.packs ?? []).toEqual([])
    model.next(
      { calls: bash('head -c 3000000 /dev/urandom > ~/large') },
      { calls: [{ name: 'write', arguments: { filePath: 'note', content: 'one' } }] },
      { text: 'done' },
    )
    await api.chatApi.send(chat, 'write')
    const { packs } = await untilCheckpoint(chat, ({ step }) => step === null)
    const sizes = packs.map(({ bytes }) => bytes)
    expect(sizes[0]).toBeGreaterThan(3_000_000)
    for (const size of sizes.slice(1)) expect(size).toBeLessThan(100_000)
  })

  test('replaced packs and packs of deleted sessions are unused', async () => {
    const chat = await openChat()
    model.next({ calls: bash('echo one > file') }, { text: 'done' })
    await api.chatApi.send(chat, 'write')
    const { packs } = await untilCheckpoint(chat, ({ step }) => step === null)
    await world.db`update sandbox_packs set created_at = now() - interval '1 hour'`
    const ids = packs.map(({ id }) => id)
    expect(await listUnusedPacks(world.db, 1000)).not.toEqual(expect.arrayContaining(ids.slice(0, 1)))
    const removed = await world.request('DELETE', `/api/sessions/${chat.sessionId}`, { key: chat.account.key })
    expect(removed.status).toBeLessThan(300)
    await world.engine.start(removeSandbox, { sandboxName: nameOf(chat) })
    await eventually('the removal', async () => ((await findRow(chat)) === undefined ? true : undefined), 30_000)
    expect(await listUnusedPacks(world.db, 1000)).toEqual(expect.arrayContaining(ids))
  })
})
