import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { nodeBundle } from '../../dev/node-bundle.ts'

/** Returns the packages that these modules import when they are loaded. `bundled`: whether the build contains the package. */
async function listImports(entryPoints: string[]): Promise<Map<string, { bundled: boolean }>> {
  const options = { ...nodeBundle, outdir: 'dist', write: false, metafile: true } as const
  const { inputs } = (await build({ ...options, entryPoints })).metafile
  const packages = new Map<string, { bundled: boolean }>()
  const files = new Set(entryPoints)
  for (const file of files)
    for (const { path, kind, external } of inputs[file]?.imports ?? []) {
      if (kind === 'dynamic-import') continue
      if (external === true) packages.set(readName(path), { bundled: false })
      else files.add(path)
    }
  for (const file of files) {
    const inPackage = file.split('node_modules/').at(1)
    if (inPackage !== undefined) packages.set(readName(inPackage), { bundled: true })
  }
  return packages
}

function readName(path: string): string {
  return path.split('/', path.startsWith('@') ? 2 : 1).join('/')
}

const rarelyUsed = /^@modelcontextprotocol\/|^(sanitize-html|html-to-text|htmlparser2|nodemailer)$/

test.each([
  ['the API', 'api/main.ts'],
  ['a worker', 'workers/run.ts'],
])('%s starts without the packages of MCP requests, emails and shared chats', async (_, entry) => {
  const packages = await listImports([entry])
  expect([...packages.keys()]).toEqual(expect.arrayContaining(['postgres', 'undici', '@temporalio/client']))
  expect([...packages.keys()].filter((name) => rarelyUsed.test(name))).toEqual([])
})

test('the build contains the Temporal SDK once, without the packages that compile workflows', async () => {
  const packages = await listImports(['api/main.ts', 'workers/main.ts', 'workers/run.ts'])
  for (const name of ['@temporalio/worker', '@temporalio/client', '@grpc/grpc-js', 'protobufjs'])
    expect(packages.get(name), name).toEqual({ bundled: true })
  expect([...packages.keys()].filter((name) => /^(webpack|memfs|@swc\/.*)$/.test(name))).toEqual([])
})
