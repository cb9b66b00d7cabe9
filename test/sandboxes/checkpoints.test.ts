import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listUnusedPacks } from '../../db/sandboxes/checkpoints.ts'
import { removeSandbox } from '../../workflows/sandboxes/messages.ts'
import { listFaults, listFrames } from '../world/transcript.ts'
import { eventually } from '../world/world.ts'
import {
  bash,
  createFleetWorld,
  findLoss,
  hasBubblewrap,
  maxMegabytes,
  nameOf,
  readOutputs,
  slowText,
} from './fleet-world.ts'

describe.skipIf(!hasBubblewrap)('checkpoints of sandboxes', () => {
  let fleet: Awaited<ReturnType<typeof createFleetWorld>>
  beforeAll(async () => {
    fleet = await createFleetWorld()
  })
  afterAll(() => fleet.close())

  test('uncommitted files of a step are restored after the loss of the machine in a later step', async () => {
    const chat = await fleet.openChat()
    fleet.model.next(
      { calls: bash('echo one > file; echo home > ~/home; echo built > ignored; echo ignored > .gitignore') },
      { ...slowText, calls: bash('cat file ~/home ignored; git status --short') },
      { text: 'done' },
    )
    const sending = fleet.api.chatApi.send(chat, 'write and read')
    const row = await fleet.untilCheckpoint(chat, ({ packs }) => packs.length > 0)
    expect(row).toMatchObject({ step: 0 })
    await fleet.loseMachine(chat)
    const transcript = await sending
    expect(listFaults(transcript)).toEqual([])
    expect(readOutputs(transcript)[1]).toBe('one\nhome\nbuilt\n?? .gitignore\n?? file\n')
    const at = row.takenAt?.toISOString()
    const loss = findLoss(transcript)
    expect(loss).toMatchObject({ epoch: 2, checkpoint: { at, runId: row.runId, step: 0 } })
    expect(loss?.text).toContain(`created again with the files of its checkpoint at ${at}: later changes`)
    const messages = fleet.model.requests.at(-1)?.body.messages as { role: string; content: unknown }[]
    expect(JSON.stringify(messages.at(-1)?.content)).toContain(`its checkpoint at ${at}`)
    await fleet.untilCheckpoint(chat, ({ step, packs }) => step === null && packs.length > 0)
  })

  test('a loss in the middle of a step loses the changes of this step only, even after the loss of a worker', async () => {
    const chat = await fleet.openChat()
    fleet.model.next({ calls: bash('echo one > first') }, { text: 'done' })
    await fleet.api.chatApi.send(chat, 'write')
    await fleet.untilCheckpoint(chat, ({ step }) => step === null)
    // The worker of the first turn was lost before it took a checkpoint.
    await fleet.world.db`
      update sandbox_checkpoints set packs = '[]', taken_at = null, changed_at = now()
      where sandbox_name = ${nameOf(chat)}`
    const begun = join(fleet.world.config.DATA_DIR, 'sandboxes', nameOf(chat), 'workspace', 'begun')
    fleet.model.next(
      { calls: bash('echo two > ~/second; echo two > begun; while [ -e begun ]; do sleep 0.1; done') },
      { calls: bash('cat first; ls ~/second begun 2>&1 | wc -l') },
      { text: 'done' },
    )
    const sending = fleet.api.chatApi.send(chat, 'write more')
    await eventually('the command', async () => existsSync(begun) || undefined)
    const before = await fleet.findRow(chat)
    expect(before?.packs).toHaveLength(1)
    await fleet.loseMachine(chat)
    await rm(begun)
    const transcript = await sending
    expect(readOutputs(transcript)[1]).toBe('one\n2\n')
    expect(findLoss(transcript)?.checkpoint?.at).toBe(before?.takenAt?.toISOString())
  })

  test('the files after a push are restored with its commit', async () => {
    const chat = await fleet.openChat()
    fleet.model.next({ calls: bash('echo one > file') }, { text: 'done' })
    await fleet.api.chatApi.send(chat, 'write')
    await fleet.untilCheckpoint(chat, ({ step }) => step === null)
    await fleet.loseMachine(chat)
    fleet.model.next({ calls: bash('git status --short --branch; git log --oneline | wc -l') }, { text: 'done' })
    expect(readOutputs(await fleet.api.chatApi.send(chat, 'look'))[0]).toMatch(/^## .+\n2\n$/)
  })

  test('a checkpoint from before a push is restored with the pushed commit', async () => {
    const chat = await fleet.openChat()
    fleet.model.next({ calls: bash('echo one > file; echo home > ~/home') }, slowText)
    const sending = fleet.api.chatApi.send(chat, 'write')
    const { packs, takenAt, step } = await fleet.untilCheckpoint(chat, ({ packs }) => packs.length > 0)
    expect(step).toBe(0)
    await sending
    await fleet.untilCheckpoint(chat, ({ step }) => step === null)
    const { db } = fleet.world
    await db`
      update sandbox_checkpoints set packs = ${db.json(packs)}, taken_at = ${takenAt}, step = ${step}
      where sandbox_name = ${nameOf(chat)}`
    await fleet.loseMachine(chat)
    fleet.model.next({ calls: bash('git status --short; cat file ~/home; echo two >> file') }, { text: 'done' })
    const transcript = await fleet.api.chatApi.send(chat, 'write more')
    expect(findLoss(transcript)?.checkpoint?.at).toBe(takenAt?.toISOString())
    expect(readOutputs(transcript)[0]).toBe('one\nhome\n')
    expect(listFrames(transcript).findLast(({ type }) => type === 'data-commit')?.['data']).toMatchObject({
      status: 'success',
      pushed: true,
    })
  })

  test('files that exceed the limit are not stored, and the loss reports it', async () => {
    const chat = await fleet.openChat()
    fleet.model.next(
      { calls: bash(`echo one > file; head -c ${(maxMegabytes + 1) * 1_000_000} /dev/zero > ~/large`) },
      { ...slowText, calls: bash('cat file; ls ~/large') },
      { text: 'done' },
    )
    const sending = fleet.api.chatApi.send(chat, 'write')
    await fleet.untilCheckpoint(chat, ({ packs }) => packs.length === 0)
    await fleet.loseMachine(chat)
    const transcript = await sending
    expect(readOutputs(transcript)[1]).not.toContain('one')
    expect(findLoss(transcript)).toMatchObject({ checkpoint: null })
    expect(findLoss(transcript)?.text).toMatch(/has the files of commit.*exceeded the size limit of checkpoints/)
  })

  test('a step that changes no files takes no checkpoint, and small changes are stored as small packs', async () => {
    const chat = await fleet.openChat()
    fleet.model.next({ calls: [{ name: 'glob', arguments: { pattern: '*' } }] }, { text: 'done' })
    await fleet.api.chatApi.send(chat, 'look')
    expect((await fleet.findRow(chat))?.packs ?? []).toEqual([])
    fleet.model.next(
      { calls: bash('head -c 3000000 /dev/urandom > ~/large') },
      { calls: [{ name: 'write', arguments: { filePath: 'note', content: 'one' } }] },
      { text: 'done' },
    )
    await fleet.api.chatApi.send(chat, 'write')
    const { packs } = await fleet.untilCheckpoint(chat, ({ step }) => step === null)
    const sizes = packs.map(({ bytes }) => bytes)
    expect(sizes[0]).toBeGreaterThan(3_000_000)
    for (const size of sizes.slice(1)) expect(size).toBeLessThan(100_000)
  })

  test('replaced packs and packs of deleted sessions are unused', async () => {
    const chat = await fleet.openChat()
    fleet.model.next({ calls: bash('echo one > file') }, { text: 'done' })
    await fleet.api.chatApi.send(chat, 'write')
    const { packs } = await fleet.untilCheckpoint(chat, ({ step }) => step === null)
    await fleet.world.db`update sandbox_packs set created_at = now() - interval '1 hour'`
    const ids = packs.map(({ id }) => id)
    expect(await listUnusedPacks(fleet.world.db, 1000)).not.toEqual(expect.arrayContaining(ids.slice(0, 1)))
    const removed = await fleet.world.request('DELETE', `/api/sessions/${chat.sessionId}`, { key: chat.account.key })
    expect(removed.status).toBeLessThan(300)
    await fleet.world.engine.start(removeSandbox, { sandboxName: nameOf(chat) })
    await eventually('the removal', async () => ((await fleet.findRow(chat)) === undefined ? true : undefined), 30_000)
    expect(await listUnusedPacks(fleet.world.db, 1000)).toEqual(expect.arrayContaining(ids))
  })
})
