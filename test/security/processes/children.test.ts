import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

/** Files that start processes or threads, with the names of the programs in the table of the security page. */
const programs: Record<string, string[]> = {
  'api/connectors/check/checker.ts': ['thread of the schema checker'],
  'api/rendering/renderer.ts': ['threads of the renderer'],
  'dev/build-apart.ts': ['build of `dist/`'],
  'dev/processes/processes.ts': ['API', 'worker', '`postgres`', '`temporal`', '`setpriv`'],
  'dev/stack/postgres/user.ts': ['`setpriv`'],
  'dev/stack/postgres/server.ts': ['`initdb`'],
  'dev/stack/temporal/cli.ts': ['`temporal --version`', '`tar`'],
  'dev/system/packages.ts': ['`apt-get`'],
  'dev/system/service-user.ts': ['`chown`', '`setpriv`'],
  'dev/temporal/build.mjs': ['`go`'],
  'dev/temporal/sources.mjs': ['`go`'],
  'dev/commands/doctor.ts': ['`git --version`'],
  'providers/code-host/allowance.ts': ['`du`'],
  'providers/code-host/git.ts': ['`git`'],
  'providers/code-host/local/smart-http.ts': ['`git`'],
  'providers/render/embedded/encoder.ts': ['`ffmpeg`'],
  'providers/render/embedded/program.ts': ['media program'],
  'providers/render/ffmpeg.ts': ['`ffmpeg -version`'],
  'providers/sandbox/bubblewrap/detached.ts': ['commands of agents'],
  'providers/sandbox/children/start-group.mjs': ['commands of agents', 'media program'],
  'providers/sandbox/confined/bare.ts': ['`setpriv`'],
  'providers/sandbox/confined/bubblewrap.ts': ['`bwrap`'],
  'providers/sandbox/fork-server.ts': ['fork server'],
  'providers/sandbox/just-bash-archive.ts': ['simulated shell'],
  'providers/sandbox/just-bash.ts': ['simulated shell'],
  'providers/sandbox/local/disk.ts': ['`du`'],
  'providers/sandbox/system-calls/support.ts': ['`bwrap`'],
}

/** Developer tools that run with the environment of the shell. */
const tools = ['dev/bootstrap.mjs', 'dev/commands/check.ts', 'dev/durable-changes.ts', 'dev/suite.ts']

const folders = 'activities api config db dev domain engine providers workers workflows'

const listFiles = (path: string): string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() || /\.ts$|\.mjs$/.test(entry.name))
        .flatMap(({ name }) => listFiles(join(path, name)))
    : [path]

/** Returns each start of a process in a source and the expression of its environment, if set. */
const findEnvironments = (path: string, source: string): { location: string; environment: string | undefined }[] => {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true)
  const starters = new Set<string>()
  const starts: { location: string; environment: string | undefined }[] = []
  const collectStarters = (node: ts.Node): void => {
    if (
      ts.isImportDeclaration(node) &&
      /child_process|worker_threads|workerpool/.test(node.moduleSpecifier.getText())
    ) {
      const { namedBindings } = node.importClause ?? {}
      if (namedBindings !== undefined && !ts.isNamedImports(namedBindings))
        starts.push({ location: `${path}: import the functions by name`, environment: undefined })
      else
        for (const { name } of namedBindings?.elements ?? [])
          if (/^(spawn|exec|fork|Worker$|pool$)/.test(name.text)) starters.add(name.text)
    }
    // `promisify(execFile)` starts processes by another name.
    if (
      ts.isVariableDeclaration(node) &&
      [...starters].some((name) => node.initializer?.getText() === `promisify(${name})`)
    )
      starters.add(node.name.getText())
    ts.forEachChild(node, collectStarters)
  }
  collectStarters(file)
  const findEnvironment = (node: ts.Node): string | undefined => {
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'env') return node.initializer.getText()
    if (ts.isShorthandPropertyAssignment(node) && node.name.text === 'env') return 'env'
    return ts.forEachChild(node, findEnvironment)
  }
  const visit = (node: ts.Node): void => {
    if ((ts.isCallExpression(node) || ts.isNewExpression(node)) && starters.has(node.expression.getText())) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart())
      const environment = node.arguments?.map(findEnvironment).find((text) => text !== undefined)
      starts.push({ location: `${path}:${line + 1}`, environment })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return starts
}

const starts = folders
  .split(' ')
  .flatMap(listFiles)
  .filter((path) => !tools.includes(path))
  .map((path) => ({ path, source: readFileSync(path, 'utf8') }))
  .filter(({ source }) => /child_process|worker_threads|workerpool/.test(source))
  .flatMap(({ path, source }) => findEnvironments(path, source))

test('every process and thread is started with an explicit environment', () => {
  expect(starts.length).toBeGreaterThan(25)
  const inherited = starts.filter(({ environment = 'process.env' }) => environment.includes('process.env'))
  expect(inherited.map(({ location }) => location)).toEqual([])
})

test('every program that the code starts is in the table of the security page', () => {
  const files = new Set(starts.map(({ location }) => location.replace(/:\d+$/, '')))
  expect([...files].sort()).toEqual(Object.keys(programs).sort())
  const page = readFileSync('content/docs/run/security.md', 'utf8')
  const [, table = ''] = page.split('## Processes\n')
  const tableText = table.split('\n## ')[0] ?? ''
  const missing = Object.values(programs)
    .flat()
    .filter((program) => !tableText.includes(program))
  expect(missing).toEqual([])
})

test('the check finds every way to start a process that inherits the environment', () => {
  const violations = [
    `import { spawn } from 'node:child_process'; spawn('ls', [])`,
    `import { spawn } from 'node:child_process'; spawn('ls', [], { env: { ...process.env } })`,
    `import { execFile } from 'node:child_process'; const run = promisify(execFile); run('ls', [], { cwd: '/' })`,
    `import { Worker } from 'node:worker_threads'; new Worker('a.js', {})`,
    `import * as host from 'node:child_process'`,
  ]
  for (const source of violations)
    expect(
      findEnvironments('a.ts', source).map(({ environment = 'process.env' }) => environment.includes('process.env')),
      source,
    ).toEqual([true])
  expect(findEnvironments('a.ts', `import { fork } from 'node:child_process'; fork('a.js', { env: {} })`)).toEqual([
    { location: 'a.ts:1', environment: '{}' },
  ])
})
