import { writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { settings } from '../../config.ts'
import { print } from '../say.ts'

type Setting = { name: string; fallback: string | undefined; meaning: string; secret: boolean }

/** The files that describe every setting, by path. */
export function settingsFiles(): Record<string, string> {
  return {
    'content/docs/run/settings.md': settingsTable(),
    '.env.example': example(),
  }
}

/** `npm run docs`. */
export async function main(): Promise<void> {
  for (const [path, text] of Object.entries(settingsFiles())) await writeFile(path, text)
  print(`Wrote ${Object.keys(settingsFiles()).join(' and ')}.`)
}

function settingsTable(): string {
  const rows = list().map(({ name, fallback, meaning, secret }) => {
    const shown = fallback === undefined ? '' : `\`${fallback}\``
    return `| \`${name}\` | ${shown} | ${secret ? 'yes' : ''} | ${meaning.replaceAll('|', '\\|')} |`
  })
  return [
    '---',
    'title: Settings',
    'description: Each setting of the service with its default and its meaning, to be put into the environment or into a file beside the package.',
    'keywords: settings, environment variables, configuration, env, PRODUCTION_MODE',
    '---',
    '',
    'Settings are environment variables, or lines of a file `.env` beside `package.json`. The environment takes precedence over the file. An empty value counts as unset.',
    '`npm run docs` generates this table from `config.ts`.',
    '',
    '| name | default | secret | meaning |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

// Variables that the supervisor passes to its children are not settings.
function list(): Setting[] {
  return Object.entries(settings)
    .map(describe)
    .filter(({ name }) => !name.startsWith('BACKLINE_'))
}

function describe([name, schema]: [string, z.ZodType]): Setting {
  const { description = '', secret } = schema.meta() ?? {}
  const fallback = schema instanceof z.ZodDefault ? String(schema.def.defaultValue) : undefined
  return { name, fallback, meaning: description, secret: secret === true }
}

function example(): string {
  const entries = list().map(({ name, fallback, meaning }) => `# ${meaning}\n#${name}=${fallback ?? ''}\n`)
  const heading = '# Copy to .env and take the # off what you set. Written by `npm run docs` from config.ts.\n'
  return [heading, ...entries].join('\n')
}
