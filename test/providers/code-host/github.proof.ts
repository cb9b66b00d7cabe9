import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigError, loadConfig } from '../../../config.ts'
import { createGithubCodeHost } from '../../../providers/code-host/github/github.ts'
import { describeCodeHost } from './contract.ts'
import { createFakeGithub, fakeOrganization, fakeToken, type FakeGithub } from '../vendors/github.ts'

const openGithub = (github: FakeGithub, token = fakeToken) =>
  createGithubCodeHost({ apiUrl: github.apiUrl, organization: fakeOrganization, token })

describeCodeHost('github', async (folder) => {
  const github = await createFakeGithub(folder)
  return { host: openGithub(github), close: github.close }
})

describe('the code host github', () => {
  let folder: string
  let github: FakeGithub
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'backline-github-test-'))
    github = await createFakeGithub(folder)
  })
  afterAll(async () => {
    await github.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('creates each private repository once', async () => {
    const repository = await openGithub(github).ensureRepository('private')
    expect(repository).toEqual({
      owner: fakeOrganization,
      name: 'private',
      cloneUrl: `${new URL(github.apiUrl).origin}/${fakeOrganization}/private.git`,
      defaultBranch: 'main',
    })
    const creations = github.requests.filter(({ method }) => method === 'POST')
    expect(creations.map(({ body }) => body)).toEqual([{ name: 'private', private: true, auto_init: true }])
  })

  it('reads files that the API omits because of their size', async () => {
    const host = openGithub(github)
    const repository = await host.ensureRepository('large')
    await host.writeFile(repository, { path: 'large.txt', content: Buffer.alloc(5000, 'x'), message: 'Large' })
    const content = await host.readFile(repository, 'large.txt', { maxBytes: 5000 })
    expect(content).toHaveLength(5000)
  })

  it('deletes a repository and ignores an absent repository', async () => {
    const host = openGithub(github)
    const repository = await host.ensureRepository('doomed')
    await host.deleteRepository(repository)
    await host.deleteRepository(repository)
    expect(await host.findHead(repository, 'main')).toBeUndefined()
  })

  it('does not access repositories of another owner', async () => {
    const host = openGithub(github)
    const before = github.requests.length
    await expect(host.deleteRepository({ owner: 'another-owner', name: 'x' })).rejects.toThrow()
    await expect(host.findHead({ owner: 'another-owner', name: 'x' }, 'main')).rejects.toThrow(TypeError)
    expect(host.parseCloneUrl('https://github.com/another-owner/x.git')).toBeUndefined()
    expect(github.requests).toHaveLength(before)
  })

  it('does not reveal a rejected token in errors and does not retry', async () => {
    const host = openGithub(github, 'ghp_wrong')
    const before = github.requests.length
    const failure = await host
      .findHead({ owner: fakeOrganization, name: 'private' }, 'main')
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ status: 401 })
    expect(JSON.stringify([failure, (failure as Error).message, (failure as Error).stack])).not.toContain('ghp_wrong')
    expect(github.requests).toHaveLength(before + 1)
    const bundling = await buffer(host.bundle({ owner: fakeOrganization, name: 'private' })).catch(
      (error: unknown) => error,
    )
    const text = [bundling, (bundling as Error).cause]
      .map((error) => `${String(error)} ${JSON.stringify(error)}`)
      .join()
    expect(text).not.toMatch(/ghp_wrong|eC1hY2Nlc3M/)
  })
})

describe('the settings of the code host', () => {
  it.each([
    [{ CODE_HOST: 'github' }, 'GITHUB_ORGANIZATION is required'],
    [{ CODE_HOST: 'github', GITHUB_ORGANIZATION: 'acme' }, 'GITHUB_TOKEN is required'],
    [
      { CODE_HOST: 'github', GITHUB_ORGANIZATION: 'a', GITHUB_TOKEN: 't', GITHUB_API_URL: 'http://github.example' },
      'GITHUB_API_URL must be an https URL',
    ],
  ])('%j are rejected', (settings, text) => {
    expect(() => loadConfig(settings)).toThrow(ConfigError)
    expect(() => loadConfig(settings)).toThrow(text)
  })
})
