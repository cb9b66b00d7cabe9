import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { parse } from 'yaml'
import { root } from '../../docs/pages.ts'

type Service = { environment?: Record<string, string>; healthcheck?: { test: string[] }; read_only?: boolean }
export type Environment = Record<string, string>

/** Reads the services of compose.yaml. */
export const readServices = (): Record<string, Service> =>
  (parse(readFileSync(join(root, 'compose.yaml'), 'utf8'), { merge: true }) as { services: Record<string, Service> })
    .services

/** Returns the environment of a container. `.env` overrides the Dockerfile, and the service overrides both. */
export const readEnvironment = (service: Service, dotenv: string): Environment => {
  const file = parseEnv(dotenv) as Environment
  const image = /^ENV (.*WORKFLOW_BUNDLE.*)$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))?.[1] ?? ''
  return {
    ...Object.fromEntries(image.split(' ').map((pair) => pair.split('=') as [string, string])),
    ...file,
    ...Object.fromEntries(
      Object.entries(service.environment ?? {}).map(([name, value]) => [name, interpolate(value, file)]),
    ),
  }
}

const reference = /\$\{(\w+)(:?[-?])?((?:[^${}]|\$(?!\{))*)\}/

/** Replaces `${NAME}`, `${NAME-default}`, `${NAME:-default}` and `${NAME:?}`, starting with the innermost. */
const interpolate = (text: string, values: Environment): string => {
  const match = reference.exec(text)
  if (match === null) return text
  const [whole, name = '', operator = '', fallback = ''] = match
  const value = values[name]
  const isSet = operator.startsWith(':') ? value !== undefined && value !== '' : value !== undefined
  if (!isSet && operator.endsWith('?')) throw new Error(`${name} is required by compose.yaml`)
  return interpolate(
    text.replace(whole, () => (isSet ? (value ?? '') : fallback)),
    values,
  )
}
