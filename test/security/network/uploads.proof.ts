import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { completeMultipartUpload, createMultipartUpload, put, uploadPart } from '@vercel/blob/client'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApi, type RunningApi } from '../../../api/start.ts'
import { saveWorkspace } from '../../../db/sandboxes/sandboxes.ts'
import type { FileSystem } from '../../../providers/disk-space.ts'
import { createChatApi } from '../../chat/chat-api.ts'
import { createWorld, eventually, type TestAccount, type World } from '../../world/world.ts'

const execute = promisify(execFile)
const mebibyte = 1024 * 1024
const roomyDisk: FileSystem = { totalBytes: 1e12, freeBytes: 1e11, totalFiles: 0, freeFiles: 0 }

let world: World
let other: RunningApi
let owner: TestAccount
let disk = roomyDisk
beforeAll(async () => {
  world = await createWorld({
    probeDisk: () => Promise.resolve(disk),
    settings: {
      DISK_RESERVE_MEGABYTES: '64',
      UPLOAD_MEGABYTES_PER_DAY: '150',
      UPLOADS_PER_MINUTE: '10',
      GIT_REPOSITORY_MEGABYTES: '1',
    },
  })
  const { config, databaseUrl, temporalAddress, taskQueue } = world
  other = await startApi({ config, databaseUrl, temporalAddress, taskQueue, log: pino({ level: 'silent' }) })
  process.env['VERCEL_BLOB_API_URL'] = `${world.baseUrl}/blob`
  process.env['VERCEL_BLOB_RETRIES'] = '2'
})
beforeEach(async () => {
  disk = roomyDisk
  owner = await world.makeAccount()
})
afterAll(async () => {
  delete process.env['VERCEL_BLOB_API_URL']
  delete process.env['VERCEL_BLOB_RETRIES']
  await other.close()
  await world.close()
})

const requestToken = async (pathname: string): Promise<string> => {
  const payload = { pathname, clientPayload: null, multipart: false }
  const response = await world.request<{ clientToken: string }>('POST', '/api/sandboxes/staged-file', {
    key: owner.key,
    body: { type: 'blob.generate-client-token', payload },
  })
  return response.body.clientToken
}

const countStoredBytes = async (): Promise<number> => {
  const folder = `${world.config.DATA_DIR}/blobs`
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

type PendingUpload = { socket: Socket; readResponse: () => Promise<string> }

/** Sends the headers of a PUT with this length and no body. */
const openUpload = (token: string, bytes: number, port = Number(new URL(world.baseUrl).port)): PendingUpload => {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => (received += chunk.toString()))
  socket.on('error', () => {})
  socket.write(
    `PUT /blob/?pathname=a.bin HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-length: ${bytes}\r\n\r\n`,
  )
  const readResponse = () =>
    eventually('the response', async () => (received.includes('}') ? received : undefined), 20_000)
  return { socket, readResponse }
}

const countReserved = async (): Promise<number> => {
  const [row] = await world.db<{ count: number }[]>`
    select count(*)::int as count from upload_pieces join uploads using (token_id)
    where account_id = ${owner.id} and attempt is not null`
  return row?.count ?? 0
}
const untilReserved = (count: number) =>
  eventually(`${count} reservations`, async () => ((await countReserved()) === count ? true : undefined))

describe('an upload token', () => {
  it('creates one file, accepts the same bytes again and rejects other bytes', async () => {
    const options = { access: 'public' as const, token: await requestToken('a.bin') }
    const content = randomBytes(100_000)
    const before = await countStoredBytes()
    const blob = await put('a.bin', content, options)
    expect(await put('a.bin', content, options)).toEqual(blob)
    await expect(put('a.bin', randomBytes(100_000), options)).rejects.toThrow('used for another file')
    await expect(createMultipartUpload('a.bin', options)).rejects.toThrow('used for another file')
    expect((await countStoredBytes()) - before).toBe(content.length)
    // The client library does not retry after a rejection.
    const [row] = await world.db`select requests from uploads where account_id = ${owner.id}`
    expect(row).toEqual({ requests: 4 })
  })

  it('creates one file for many concurrent uses', async () => {
    const token = await requestToken('a.bin')
    const before = await countStoredBytes()
    const send = (port: string) =>
      fetch(`http://127.0.0.1:${port}/blob/?pathname=a.bin`, {
        method: 'PUT',
        body: randomBytes(200_000),
        headers: { authorization: `Bearer ${token}` },
      })
    const ports = [new URL(world.baseUrl).port, String(other.port)]
    const responses = await Promise.all([0, 1, 0, 1, 0, 1].map((index) => send(ports[index] ?? '')))
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.every((status) => [200, 403, 503].includes(status))).toBe(true)
    expect((await countStoredBytes()) - before).toBe(200_000)
  })

  it('limits the total size of concurrent parts', async () => {
    const options = { access: 'public' as const, token: await requestToken('a.bin') }
    const { uploadId, key } = await createMultipartUpload('a.bin', options)
    expect(await createMultipartUpload('a.bin', options)).toEqual({ uploadId, key })
    const before = await countStoredBytes()
    const results = await Promise.allSettled(
      [1, 2, 3].map((partNumber) =>
        uploadPart('a.bin', Buffer.alloc(40 * mebibyte), { ...options, uploadId, key, partNumber }),
      ),
    )
    const parts = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))
    expect(refused).toEqual([expect.stringContaining('File is too large')])
    expect((await countStoredBytes()) - before).toBe(80 * mebibyte)
    // A repeated part replaces the earlier part.
    const [first] = parts
    const repeatedPart = { ...options, uploadId, key, partNumber: first?.partNumber ?? 0 }
    const replaced = await uploadPart('a.bin', Buffer.from('short'), repeatedPart)
    expect((await countStoredBytes()) - before).toBe(40 * mebibyte + 5)
    const blob = await completeMultipartUpload('a.bin', [replaced, ...parts.slice(1)], { ...options, uploadId, key })
    expect((await countStoredBytes()) - before).toBe(40 * mebibyte + 5)
    expect(
      await completeMultipartUpload('a.bin', [replaced, ...parts.slice(1)], { ...options, uploadId, key }),
    ).toEqual(blob)
    await expect(uploadPart('a.bin', Buffer.from('more'), repeatedPart)).rejects.toThrow('used for another file')
  })

  it('keeps the bytes of a part when a repetition of the part is interrupted', async () => {
    const options = { access: 'public' as const, token: await requestToken('a.bin') }
    const { uploadId, key } = await createMultipartUpload('a.bin', options)
    await uploadPart('a.bin', Buffer.alloc(60 * mebibyte), { ...options, uploadId, key, partNumber: 1 })
    const socket = connect(Number(new URL(world.baseUrl).port), '127.0.0.1')
    socket.write(
      `POST /blob/mpu?pathname=a.bin HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${options.token}\r\nx-mpu-action: upload\r\n` +
        `x-mpu-upload-id: ${uploadId}\r\nx-mpu-key: ${encodeURIComponent(key)}\r\nx-mpu-part-number: 1\r\ncontent-length: 10\r\n\r\n`,
    )
    await untilReserved(1)
    socket.destroy()
    await untilReserved(0)
    await expect(
      uploadPart('a.bin', Buffer.alloc(50 * mebibyte), { ...options, uploadId, key, partNumber: 2 }),
    ).rejects.toThrow('File is too large')
  })
})

describe('the uploads of an account', () => {
  it('are reserved in advance across all processes and rejected above the daily number of bytes', async () => {
    const pendingUpload = openUpload(await requestToken('a.bin'), 90 * mebibyte, other.port)
    await untilReserved(1)
    const token = await requestToken('a.bin')
    const refused = await openUpload(token, 90 * mebibyte).readResponse()
    expect(refused).toMatch(/^HTTP\/1.1 429 /)
    expect(refused).toMatch(/retry-after: \d+/i)
    expect(refused).toContain('"code":"rate_limited"')
    await expect(put('a.bin', Buffer.alloc(70 * mebibyte), { access: 'public', token })).rejects.toThrow(
      'Too many requests',
    )
    pendingUpload.socket.destroy()
    await untilReserved(0)
    const admitted = openUpload(token, 90 * mebibyte)
    await untilReserved(1)
    admitted.socket.destroy()
    await untilReserved(0)
  })

  it.each([
    ['that died', () => world.db`update upload_pieces set holder = 1 where attempt is not null`],
    ['that hangs', () => world.db`update upload_pieces set expires_at = now() where attempt is not null`],
  ])('regain the bytes that were reserved by a process %s', async (_, loseProcess) => {
    const lostUpload = openUpload(await requestToken('a.bin'), 90 * mebibyte)
    await untilReserved(1)
    await loseProcess()
    const next = openUpload(await requestToken('a.bin'), 90 * mebibyte)
    await eventually('the reservation of the next upload', async () => {
      const [row] = await world.db<{ reserved: number }[]>`
        select sum(reserved_bytes)::bigint as reserved from upload_pieces join uploads using (token_id)
        where account_id = ${owner.id} and holder <> 1 and expires_at > now()`
      return row?.reserved === 90 * mebibyte ? true : undefined
    })
    lostUpload.socket.destroy()
    next.socket.destroy()
    await untilReserved(0)
  })

  it('are rejected above the number of uploads per minute', async () => {
    await world.db`
      insert into uploads (token_id, account_id, pathname)
      select 'token ' || gen_random_uuid(), ${owner.id}, 'x' from generate_series(1, 10)`
    const refused = await openUpload(await requestToken('a.bin'), 10).readResponse()
    expect(refused).toMatch(/^HTTP\/1.1 429 /)
    expect(refused).toContain('Too many uploads within a minute')
  })
})

describe('a disk with less free space than its reserve', () => {
  it('accepts no uploads and no pushes, while chats continue', async () => {
    const chatApi = createChatApi(world)
    const chat = await chatApi.openChat(owner)
    const folder = await mkdtemp(join(tmpdir(), 'backline-disk-'))
    const address = new URL(`${world.baseUrl}/git/workspaces/${owner.id}.git`)
    Object.assign(address, { username: 'x', password: owner.key })
    const git = (...args: string[]) =>
      execute('git', ['-C', folder, '-c', 'user.name=P', '-c', 'user.email=p@x.org', ...args])
    await git('clone', '--quiet', address.href, '.')
    await git('commit', '--quiet', '--allow-empty', '-m', 'more')
    const token = await requestToken('a.bin')

    disk = { ...roomyDisk, freeBytes: 63 * mebibyte }
    const refused = await openUpload(token, 10).readResponse()
    expect(refused).toMatch(/^HTTP\/1.1 503 /)
    expect(refused).toContain('{"error":{"code":"service_unavailable","message":"No disk space is left for uploads"}}')
    await expect(git('push', '--quiet', 'origin', 'main')).rejects.toThrow('503')
    const transcript = await chatApi.send(chat, '$ echo still here > file.txt && cat file.txt')
    expect(JSON.stringify(transcript)).toContain('still here')
    expect((await chatApi.load(chat)).messages).toHaveLength(2)
    expect(await (await fetch(world.metricsUrl)).text()).toContain(`backline_disk_reserve_bytes ${64 * mebibyte}`)
    await eventually('the metric of free space', async () =>
      (await (await fetch(world.metricsUrl)).text()).includes(`backline_disk_free_bytes ${63 * mebibyte}`)
        ? true
        : undefined,
    )

    disk = roomyDisk
    expect((await put('a.bin', 'words', { access: 'public', token })).pathname).toContain(owner.id)
    await git('pull', '--quiet', '--rebase', 'origin', 'main')
    await git('push', '--quiet', 'origin', 'main')
    await rm(folder, { recursive: true, force: true })
  })
})

describe('a repository at its maximum size', () => {
  it('rejects a push that exceeds the size, and can still be read', async () => {
    const { owner: repositoryOwner, name, cloneUrl } = await world.deps.codeHost.ensureRepository(owner.id)
    await saveWorkspace(world.db, owner.id, { repoOwner: repositoryOwner, repoName: name, cloneUrl })
    const folder = await mkdtemp(join(tmpdir(), 'backline-full-'))
    const address = new URL(`${world.baseUrl}/git/${repositoryOwner}/${name}.git`)
    Object.assign(address, { username: 'x', password: owner.key })
    const git = (...args: string[]) =>
      execute('git', ['-C', folder, '-c', 'user.name=P', '-c', 'user.email=p@x.org', ...args])
    await git('clone', '--quiet', address.href, '.')
    const pushFile = async (bytes: number): Promise<void> => {
      await writeFile(join(folder, `file-${bytes}`), randomBytes(bytes))
      await git('add', '-A')
      await git('commit', '--quiet', '-m', 'more')
      await git('push', '--quiet', 'origin', 'main')
    }
    await pushFile(700_000)
    await expect(pushFile(600_000)).rejects.toThrow('exceeds maximum allowed size')
    const content = randomBytes(600_000)
    await expect(
      world.deps.codeHost.writeFile({ owner: repositoryOwner, name }, { path: 'x.bin', content, message: 'x' }),
    ).rejects.toThrow('full')
    await git('reset', '--quiet', '--hard', 'HEAD~1')
    await pushFile(200_000)
    await git('fetch', '--quiet')
    await rm(folder, { recursive: true, force: true })
  })
})
