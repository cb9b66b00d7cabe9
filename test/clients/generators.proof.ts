import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toolEnvironment } from '../../dev/processes/tool-environment.mjs'
import { installGoProgram, installPythonPackages } from '../peers/installed.ts'
import { createWorld, type TestAccount, type World } from '../world/world.ts'

const execute = promisify(execFile)
const versions = [
  'openapi-generator-cli==7.26.0',
  'openapi-python-client==0.29.1',
  'urllib3==2.6.2',
  'pydantic==2.12.5',
  'python-dateutil==2.9.0.post0',
]

let world: World
let account: TestAccount
let folder: string
let document: string
let python: string | undefined
let oapiCodegen: string | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backline-generators-'))
  document = join(folder, 'openapi.json')
  ;[world, python, oapiCodegen] = await Promise.all([
    createWorld({ worker: false }),
    installPythonPackages('client-generators-1', versions),
    installGoProgram('github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen', 'v2.8.2'),
  ])
  account = await world.makeAccount()
  await writeFile(document, await (await world.fetch('GET', '/openapi.json')).text())
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

const run = async (file: string, args: string[], cwd: string): Promise<string> => {
  const goSettings = { GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod -modcacherw' }
  const programSettings = { BASE: world.baseUrl, KEY: account.key, PYTHONPATH: `${python ?? ''}:${cwd}` }
  const env = toolEnvironment({ ...goSettings, ...programSettings })
  try {
    return (await execute(file, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 })).stdout
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string }
    throw new Error(`${file} ${args.join(' ')}\n${(stderr || stdout || String(error)).slice(0, 3000)}`, {
      cause: error,
    })
  }
}

const makeFolder = async (name: string): Promise<string> => {
  const made = join(folder, name)
  await mkdir(made, { recursive: true })
  return made
}

const nodeModules = resolve('node_modules')

/** Type-checks a program with its imported client, and runs it. */
const runTypeScript = async (cwd: string, program: string): Promise<string> => {
  await symlink(nodeModules, join(cwd, 'node_modules'))
  await writeFile(join(cwd, 'package.json'), '{"type":"module"}')
  await writeFile(join(cwd, 'program.ts'), `${program}\nexport {}\n`)
  await writeFile(
    join(cwd, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        allowImportingTsExtensions: true,
        skipLibCheck: true,
        target: 'es2022',
        module: 'preserve',
        lib: ['es2023', 'dom', 'dom.iterable'],
        types: ['node'],
      },
      files: ['program.ts'],
    }),
  )
  await run(join(nodeModules, '.bin/tsc'), ['-p', '.'], cwd)
  return run(join(nodeModules, '.bin/tsx'), ['program.ts'], cwd)
}

/** Runs a generator of openapi-generator.tech. */
const runOpenapiGenerator = (cwd: string, generator: string): Promise<string> => {
  const jar = join(python ?? '', 'openapi_generator_cli/openapi-generator.jar')
  const parts = 'models,apis,supportingFiles,modelDocs=false,apiDocs=false,modelTests=false,apiTests=false'
  // In a short run, the optimizing compiler costs more time than it saves.
  const java = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-jar', jar, 'generate']
  return run('java', [...java, '-i', document, '-g', generator, '-o', cwd, '--global-property', parts], cwd)
}

/** Returns a program that imports every module of a Python package, to find modules that cannot be compiled. */
const importAll = (name: string): string => `
import ${name}, importlib, os, pkgutil
for module in pkgutil.walk_packages(${name}.__path__, '${name}.'):
    importlib.import_module(module.name)
`

const runGo = async (cwd: string, program: string): Promise<string> => {
  await mkdir(join(cwd, 'program'))
  await writeFile(join(cwd, 'program/main.go'), program)
  await run('go', ['mod', 'tidy', '-e'], cwd)
  return run('go', ['run', '-gcflags=-N -l', './program'], cwd)
}

const isPythonInstalled = () => python !== undefined

/** Whether `GENERATORS=all` includes more languages of a generator that is already tested with one. */
const isComplete = process.env['GENERATORS'] === 'all'

test('openapi-typescript', async () => {
  const cwd = await makeFolder('openapi-typescript')
  await run(join(nodeModules, '.bin/openapi-typescript'), [document, '-o', 'schema.ts'], cwd)
  const output = await runTypeScript(
    cwd,
    `import createClient from 'openapi-fetch'
import type { paths } from './schema.ts'
const client = createClient<paths>({ baseUrl: process.env['BASE']!, headers: { 'x-api-key': process.env['KEY']! } })
const { data } = await client.GET('/api/accounts/id')
const id: string | undefined = data?.accountId
console.log(id)`,
  )
  expect(output.trim()).toBe(account.id)
})

test.runIf(isComplete)('typescript-fetch of openapi-generator', async ({ skip }) => {
  if (!isPythonInstalled()) skip('it cannot be installed')
  const cwd = await makeFolder('typescript-fetch')
  await runOpenapiGenerator(cwd, 'typescript-fetch')
  const output = await runTypeScript(
    cwd,
    `import { AccountsApi, Configuration } from './index.ts'
const api = new AccountsApi(new Configuration({ basePath: process.env['BASE']!, apiKey: process.env['KEY']! }))
const id: string = (await api.getAccountsId()).accountId
console.log(id)`,
  )
  expect(output.trim()).toBe(account.id)
})

test('python of openapi-generator', async ({ skip }) => {
  if (!isPythonInstalled()) skip('it cannot be installed')
  const cwd = await makeFolder('python')
  await runOpenapiGenerator(cwd, 'python')
  const output = await run(
    'python3',
    [
      '-c',
      `${importAll('openapi_client')}
configuration = openapi_client.Configuration(host=os.environ['BASE'], api_key={'apiKey': os.environ['KEY']})
with openapi_client.ApiClient(configuration) as client:
    print(openapi_client.AccountsApi(client).get_accounts_id().account_id)`,
    ],
    cwd,
  )
  expect(output.trim()).toBe(account.id)
})

test('openapi-python-client', async ({ skip }) => {
  if (!isPythonInstalled()) skip('it cannot be installed')
  const cwd = await makeFolder('python-client')
  await writeFile(join(cwd, 'config.yml'), 'post_hooks: []\n')
  const options = ['--path', document, '--output-path', 'backline_client', '--meta', 'none', '--config', 'config.yml']
  await run('python3', ['-m', 'openapi_python_client', 'generate', ...options], cwd)
  const output = await run(
    'python3',
    [
      '-c',
      `${importAll('backline_client')}
from backline_client.api.accounts import get_accounts_id
client = backline_client.AuthenticatedClient(os.environ['BASE'], os.environ['KEY'], auth_header_name='x-api-key', prefix='')
print(get_accounts_id.sync(client=client).account_id)`,
    ],
    cwd,
  )
  expect(output.trim()).toBe(account.id)
})

test('oapi-codegen', async ({ skip }) => {
  if (oapiCodegen === undefined) {
    skip('it cannot be installed')
    return
  }
  const cwd = await makeFolder('oapi-codegen')
  await run(oapiCodegen, ['-generate', 'types,client', '-package', 'client', '-o', 'client.go', document], cwd)
  await writeFile(join(cwd, 'go.mod'), 'module client\n\ngo 1.24\n\nrequire github.com/oapi-codegen/runtime v1.9.0\n')
  const output = await runGo(
    cwd,
    `package main

import (
	"client"
	"context"
	"fmt"
	"net/http"
	"os"
)

func main() {
	api, _ := client.NewClientWithResponses(os.Getenv("BASE"))
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("x-api-key", os.Getenv("KEY"))
		return nil
	}
	answer, err := api.GetAccountsIdWithResponse(context.Background(), withKey)
	if err != nil {
		panic(err)
	}
	fmt.Println(answer.JSON200.AccountId)
}
`,
  )
  expect(output.trim()).toBe(account.id)
})

test.runIf(isComplete)('go of openapi-generator', async ({ skip }) => {
  if (!isPythonInstalled() || oapiCodegen === undefined) skip('it cannot be installed')
  const cwd = await makeFolder('go')
  await runOpenapiGenerator(cwd, 'go')
  const output = await runGo(
    cwd,
    `package main

import (
	"context"
	"fmt"
	"os"

	openapi "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func main() {
	configuration := openapi.NewConfiguration()
	configuration.Servers = openapi.ServerConfigurations{{URL: os.Getenv("BASE")}}
	configuration.AddDefaultHeader("x-api-key", os.Getenv("KEY"))
	answer, _, err := openapi.NewAPIClient(configuration).AccountsAPI.GetAccountsId(context.Background()).Execute()
	if err != nil {
		panic(err)
	}
	fmt.Println(answer.AccountId)
}
`,
  )
  expect(output.trim()).toBe(account.id)
})
