import { z } from 'zod'

export const toolkitSlug = /^[a-z0-9_-]{1,64}$/
export const actionSlug = /^[A-Z0-9_]{1,200}$/

/** Owner and workspace of a connection. No other owner or workspace can see the connection. */
export type Entity = { workspaceId: string; subjectId: string }

/** Returns the id under which brokers store an entity. */
export function toEntityId({ workspaceId, subjectId }: Entity): string {
  return `${workspaceId}:${subjectId}`
}

export function parseEntityId(entityId: string): Entity {
  const [workspaceId = '', subjectId = ''] = entityId.split(':')
  return { workspaceId, subjectId }
}

/** A service that can be connected. */
export type Toolkit = { slug: string; name: string }

export type JsonObject = Record<string, unknown>

/** An action of a connection. */
export type ConnectorAction = {
  actionSlug: string
  toolkit: string
  name: string
  description: string
  /** A JSON Schema. */
  parameters: JsonObject
  /** Paths of files in the parameters: member names separated by dots, `*` for each item of an array. */
  fileFields: string[]
}

/** A connection as its broker reports it. */
export type BrokerConnection = {
  connectedAccountId: string
  entityId: string
  toolkit: string
  active: boolean
  /** Name of the account at the service; null if the service provides none. */
  accountName: string | null
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const connectionFields = {
  isConnected: z.boolean(),
  connectedAccountId: z.string().nullable(),
}

export const connectorSchema = z.object({ slug: z.string(), name: z.string(), ...connectionFields })

export const actionSchema = z.object({
  actionSlug: z.string(),
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()).meta({ description: 'A JSON Schema of the parameters.' }),
  connectorSlug: z.string(),
  ...connectionFields,
})
