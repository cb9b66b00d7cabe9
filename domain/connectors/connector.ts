import { z } from 'zod'

export const toolkitSlug = /^[a-z0-9_-]{1,64}$/
export const actionSlug = /^[A-Z0-9_]{1,200}$/

/** Whose service a connection opens, and in whose name it was made. Connections of another pair do not exist for this one. */
export type Entity = { workspaceId: string; subjectId: string }

/** How brokers name the pair. */
export function entityIdOf({ workspaceId, subjectId }: Entity): string {
  return `${workspaceId}:${subjectId}`
}

export function entityOf(entityId: string): Entity {
  const [workspaceId = '', subjectId = ''] = entityId.split(':')
  return { workspaceId, subjectId }
}

/** A service that can be connected. */
export type Toolkit = { slug: string; name: string }

export type JsonObject = Record<string, unknown>

/** What can be done with a connection. */
export type ConnectorAction = {
  actionSlug: string
  toolkit: string
  name: string
  description: string
  /** A JSON Schema. */
  parameters: JsonObject
  /** Where in the parameters files are named: members by name, `*` for each item of an array, with dots between them. */
  fileFields: string[]
}

/** A connection as its broker knows it. */
export type BrokerConnection = {
  connectedAccountId: string
  entityId: string
  toolkit: string
  active: boolean
  /** The account at the service, as the service names it; null where it names none. */
  accountName: string | null
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const connection = {
  isConnected: z.boolean(),
  connectedAccountId: z.string().nullable(),
}

export const connectorSchema = z.object({ slug: z.string(), name: z.string(), ...connection })

export const actionSchema = z.object({
  actionSlug: z.string(),
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()).meta({ description: 'A JSON Schema of the parameters.' }),
  connectorSlug: z.string(),
  ...connection,
})
