import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { upload } from '@vercel/blob/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectSingle, type Pool } from '../../../db/postgres/client.ts'
import { recordSourceRepository } from '../../../db/sandboxes/snapshots.ts'
import { personalRepositoryName, setupSteps, type SetupStep } from '../../../domain/sandboxes/personal.ts'
import { untilSessionsEnded } from '../../crash/dead-sessions.ts'
import { startWorkerInProcess, startWorkerProcess } from '../../crash/processes.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { listLogs, listPaths, createPersonalApi } from './personal-api.ts'

const timeoutMs = 90_000

let world: World
let personalApi: ReturnType<typeof createPersonalApi>
let lockHolder: Pool
beforeAll(async () => {
  world = await createWorld({ worker: false })
  personalApi = createPersonalApi(world)
  await installGate()
  lockHolder = connectSingle({ url: world.databaseUrl, name: 'test gate' })
  await lockHolder`select pg_advisory_lock(${gate})`
})
afterAll(async () => {
  await lockHolder.end()
  await world.close()
})

const gate = 4242

/** Makes reports of the steps and files in `held_reports` wait for a lock. The test holds the lock. */
const installGate = async (): Promise<void> => {
  await world.db`create table held_reports (name text primary key)`
  await world.db.unsafe(`
    create function wait_at_gate() returns trigger language plpgsql security definer as $$
    begin
      if exists (
        select 1 from held_reports
        where new.metadata ? name or new.metadata -> 'logs' @> jsonb_build_array(jsonb_build_object('step', name))
      ) then perform pg_advisory_xact_lock(${gate}); end if;
      return new;
    end $$`)
  await world.db`
    create trigger wait_at_gate before update on background_runs for each row execute function wait_at_gate()`
}

const listWaiting = async (): Promise<number[]> => {
  const rows = await world.db<{ pid: number }[]>`
    select pid from pg_locks where locktype = 'advisory' and objid = ${gate} and not granted
      and database = (select oid from pg_database where datname = current_database())`
  return rows.map(({ pid }) => pid)
}

/** Starts a worker and kills it after it has completed this step or file and before its report is stored. */
const killBeforeReport = async (name: string): Promise<void> => {
  await world.db`insert into held_reports values (${name})`
  const worker = await startWorkerProcess(world)
  const waiting = await eventually(
    `the report of ${name}`,
    async () => {
      const pids = await listWaiting()
      return pids.length > 0 ? pids : undefined
    },
    timeoutMs,
  )
  await worker.kill()
  await untilSessionsEnded(world, waiting)
  await world.db`delete from held_reports`
}

const countCommits = async (name: string): Promise<number> => {
  const folder = await mkdtemp(join(tmpdir(), 'backline-kill-'))
  try {
    const bundle = join(folder, 'bundle')
    await writeFile(bundle, world.deps.codeHost.bundle({ owner: 'workspaces', name }))
    execFileSync('git', ['clone', '--quiet', '--bare', '--branch', 'main', bundle, join(folder, 'bare')])
    return Number(execFileSync('git', ['-C', join(folder, 'bare'), 'rev-list', '--count', 'main']).toString())
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const killedSteps: SetupStep[] = ['start-sandbox', 'source-repository', 'clone', 'commit', 'snapshot', 'stop-sandbox']

it(
  'a setup completes without repeating a step, even if its worker is killed at each step',
  { timeout: 600_000 },
  async () => {
    const owner = await world.makeAccount()
    const { runId } = (await personalApi.setup(owner)).body
    for (const step of killedSteps) {
      await killBeforeReport(step)
      expect(listLogs(await personalApi.readRun(owner, runId)).map((entry) => entry.step)).not.toContain(step)
    }
    const worker = await startWorkerInProcess(world)
    const run = await personalApi.untilEnded(owner, runId)
    expect(run.status).toBe('COMPLETED')
    expect(run.attempts?.map(({ status, error }) => error?.name ?? status)).toEqual([
      ...killedSteps.map(() => 'WorkerLost'),
      'COMPLETED',
    ])
    expect(listLogs(run).map(({ step }) => step)).toEqual(setupSteps)
    expect(listLogs(run).map(({ status }) => status)).not.toContain('failed')
    expect(listLogs(run).find(({ step }) => step === 'snapshot')).toMatchObject({ status: 'skipped' })
    expect(await countCommits(personalRepositoryName(owner.id))).toBe(2)
    const { body } = await personalApi.list(owner)
    expect(body.sandboxes.map(({ sandboxStatus }) => sandboxStatus)).toEqual(['stopped'])
    expect(listPaths(body.filetree)).toContain('orgs/.gitkeep')
    await worker.stop()
  },
)

it('files are committed once even if the worker is killed, and the response lists all of them', async () => {
  const owner = await world.makeAccount()
  const { cloneUrl } = await world.deps.codeHost.ensureRepository(personalRepositoryName(owner.id))
  await recordSourceRepository(world.db, owner.id, cloneUrl)
  process.env['VERCEL_BLOB_API_URL'] = `${world.baseUrl}/blob`
  const handleUploadUrl = `${world.baseUrl}/api/sandboxes/staged-file`
  const stageFile = (name: string) =>
    upload(name, `content of ${name}`, { access: 'public', handleUploadUrl, headers: { 'x-api-key': owner.key } })
  const files = [
    { url: (await stageFile('one')).url, name: 'one' },
    { url: (await stageFile('two')).url, name: 'two' },
  ]
  delete process.env['VERCEL_BLOB_API_URL']
  const pendingResponse = world.request<{ uploaded: { path: string }[] }>('POST', '/api/sandboxes/files', {
    key: owner.key,
    body: { files },
  })
  await eventually('the run', async () => (await personalApi.readRuns(owner, ''))[0]?.id)
  await killBeforeReport('file-0')
  const worker = await startWorkerInProcess(world)
  const response = await pendingResponse
  expect(response.body.uploaded.map(({ path }) => path)).toEqual(['one', 'two'])
  expect(await countCommits(personalRepositoryName(owner.id))).toBe(3)
  await worker.stop()
})
