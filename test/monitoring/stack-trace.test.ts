import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodeBundle } from '../../dev/node-bundle.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = `import { pino } from 'pino'
import { exitOnUncaughtErrors, serializeError } from '../../stack-trace.ts'

function fail(): never {
  throw new Error('the pump is dry', { cause: new Error('no water') })
}

exitOnUncaughtErrors()
try {
  fail()
} catch (err) {
  pino({ serializers: { err: serializeError } }).error({ err }, 'failed')
  pino({ serializers: { err: serializeError } }).error({ err: 'a text' }, 'failed')
}
setImmediate(() => void Promise.reject(new Error('the valve is shut')))
`

let folder: string
beforeAll(async () => {
  // Packages are resolved from a folder inside the root.
  folder = await mkdtemp(join(root, 'dist', 'stack-trace-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the log and an uncaught error show positions in the sources of a build', async () => {
  const source = join(folder, 'program.ts')
  await writeFile(source, program)
  await build({ ...nodeBundle, entryPoints: [source], outdir: join(folder, 'out'), sourcemap: true })
  const [code, stdout, stderr] = await new Promise<[unknown, string, string]>((resolve) => {
    execFile(process.execPath, [join(folder, 'out/program.js')], (error, out, errors) =>
      resolve([error?.code, out, errors]),
    )
  })
  const [logged, text] = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { err: { stack: string } | string }).err)
  expect(logged).toMatchObject({
    message: 'the pump is dry: no water',
    stack: expect.stringContaining(`at fail (${source}:5:9)`),
  })
  expect(logged).toMatchObject({ stack: expect.stringContaining(`${source}:5:47`) })
  expect(text).toBe('a text')
  expect(code).toBe(1)
  expect(stderr).toMatch(/^Error: the valve is shut\n {4}at /)
  expect(stderr).toContain(`${source}:15:40`)
})
