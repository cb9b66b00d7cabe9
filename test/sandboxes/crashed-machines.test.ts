import { randomInt, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSandboxPlaces } from '../../db/sandboxes/places.ts'
import { freePort } from '../../dev/stack/ports.ts'
import { connectedAfterSeconds, silentAfterSeconds } from '../../domain/operator/fleet.ts'
import type { OpenChat } from '../chat/chat-api.ts'
import { eventually } from '../world/world.ts'
import { bash, createFleetWorld, findLoss, hasBubblewrap, nameOf, readOutputs } from './fleet-world.ts'

describe.skipIf(!hasBubblewrap)('sandboxes of crashed machines', () => {
  let fleet: Awaited<ReturnType<typeof createFleetWorld>>
  beforeAll(async () => {
    fleet = await createFleetWorld()
  })
  afterAll(() => fleet.close())

  /**
   * Moves the sandbox in the database to a machine that reported recently and whose worker died three seconds ago. No process
   * listens on its address.
   */
  const crashMachine = async (chat: OpenChat): Promise<string> => {
    const machine = randomUUID()
    const address = `127.0.0.1:${await freePort()}`
    await fleet.world.db`
      insert into machines (id, address, build, sandbox_address, seen_at)
      values (${machine}, 'crashed', 'build', ${address}, now() - interval '4 s')`
    await fleet.world.db`
      insert into process_reports
        (process_id, part, machine_id, host, pid, build, started_at, figures, reported_at, answered_at)
      values (${randomInt(1_000_000, 2_000_000)}, 'worker', ${machine}, 'crashed', 1, 'build', now() - interval '1 minute', '{}',
        now() - interval '4 s', now() - interval '3 s')`
    await fleet.world.db`update sandbox_places set machine_id = ${machine} where sandbox_name = ${nameOf(chat)}`
    await fleet.world.db`
      update sessions set sandbox_state = sandbox_state || ${fleet.world.db.json({ machine })} where id = ${chat.sessionId}`
    return machine
  }

  /** Waits until the worker has held its lock for as long as it needs to declare that another machine has crashed. */
  const untilObserver = () =>
    eventually(
      'the session of the lock',
      async () => {
        const [row] = await fleet.world.db`
          select 1 from pg_stat_activity where datname = current_database() and application_name like 'backline lock%'
            and backend_start < now() - make_interval(secs => ${connectedAfterSeconds})`
        return row
      },
      30_000,
    )

  test('a sandbox of a crashed machine is restored before the machine counts as lost', async () => {
    const chat = await fleet.openChat()
    fleet.model.next({ calls: bash('echo one > file; echo home > ~/home') }, { text: 'done' })
    await fleet.api.chatApi.send(chat, 'write')
    const row = await fleet.untilCheckpoint(chat, ({ step }) => step === null)
    await untilObserver()
    const machine = await crashMachine(chat)
    fleet.model.next({ calls: bash('cat file ~/home') }, { text: 'done' })
    const transcript = await fleet.api.chatApi.send(chat, 'read')
    expect(readOutputs(transcript)[0]).toMatch(/^one\nhome\n/)
    expect(findLoss(transcript)).toMatchObject({ epoch: 2, checkpoint: { at: row.takenAt?.toISOString() } })
    const [isSilent] = await fleet.world.db`
      select 1 from machines where id = ${machine} and seen_at < now() - make_interval(secs => ${silentAfterSeconds})`
    expect(isSilent).toBeUndefined()
  })

  test('a crashed machine is waited for if its processes live, it was stopped, or its files are not in a checkpoint', async () => {
    const chat = await fleet.openChat()
    fleet.model.next({ calls: bash('echo one > file') }, { text: 'done' })
    await fleet.api.chatApi.send(chat, 'write')
    await fleet.untilCheckpoint(chat, ({ step }) => step === null)
    await untilObserver()
    const [observer] = await fleet.world.db<{ id: string; processId: number }[]>`
      select machine_id as id, process_id from process_reports where part = 'worker' and host <> 'crashed'`
    const machine = await crashMachine(chat)
    const places = createSandboxPlaces(fleet.world.db, observer?.id ?? '')
    const hasCrashed = () => places.hasCrashed(nameOf(chat), machine)
    const name = nameOf(chat)
    const cases: [change: () => Promise<unknown>, undo: () => Promise<unknown>][] = [
      [
        () => fleet.world.db`update process_reports set answered_at = now() where machine_id = ${machine}`,
        () =>
          fleet.world.db`update process_reports set answered_at = now() - interval '3 s' where machine_id = ${machine}`,
      ],
      [
        () => fleet.world.db`update machines set seen_at = now() where id = ${machine}`,
        () => fleet.world.db`update machines set seen_at = now() - interval '4 s' where id = ${machine}`,
      ],
      [
        () =>
          fleet.world.db`update process_reports set machine_id = ${machine} where process_id = ${observer!.processId}`,
        () =>
          fleet.world
            .db`update process_reports set machine_id = ${observer!.id} where process_id = ${observer!.processId}`,
      ],
      [
        () => fleet.world.db`update sandbox_checkpoints set is_too_large = true where sandbox_name = ${name}`,
        () => fleet.world.db`update sandbox_checkpoints set is_too_large = false where sandbox_name = ${name}`,
      ],
      [
        () => fleet.world.db`
          with pack as (insert into sandbox_packs (id, sandbox_name) values ('pack_a', ${name}), ('pack_b', ${name}))
          update sandbox_checkpoints set packs = '[]', run_id = packs::text where sandbox_name = ${name}`,
        () => fleet.world.db`update sandbox_checkpoints set packs = run_id::jsonb where sandbox_name = ${name}`,
      ],
      [() => fleet.world.db`delete from process_reports where machine_id = ${machine}`, () => Promise.resolve()],
    ]
    for (const [change, undo] of cases) {
      expect(await hasCrashed()).toBe(true)
      await change()
      expect(await hasCrashed(), String(change)).toBe(false)
      await undo()
    }
  })
})
