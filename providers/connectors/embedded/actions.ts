import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { ConnectorAction, JsonObject } from '../../../domain/connectors/connector.ts'
import type { DemoItem } from '../../../domain/connectors/demo.ts'
import { fileDescriptor, fileParameter } from '../../../domain/connectors/action-files.ts'
import { ProviderError } from '../../errors/provider-error.ts'
import type { ActionFiles } from '../index.ts'
import type { DemoStore } from './store.ts'

type DemoCall = {
  store: DemoStore
  files: ActionFiles
  entityId: string
  parameters: JsonObject
  key: string | undefined
  signal: AbortSignal
}

type DemoAction = {
  name: string
  description: string
  properties: Record<string, JsonObject>
  required?: string[]
  fileFields?: string[]
  run: (call: DemoCall) => Promise<JsonObject>
}

const title = { type: 'string', minLength: 1, maxLength: 200 }
const time = { type: 'string', format: 'date-time' }
const maxResultBytes = 20_000_000

const notebook: Record<string, DemoAction> = {
  ADD_NOTE: {
    name: 'Add a note',
    description: 'Adds a note to the notebook.',
    properties: { title, text: { type: 'string', maxLength: 10_000 } },
    required: ['title', 'text'],
    run: ({ store, entityId, key, parameters }) =>
      store.once(key, async (rows) =>
        toNote(
          await rows.insertItem(entityId, {
            kind: 'note',
            title: readText(parameters, 'title'),
            body: readText(parameters, 'text'),
            startsAt: null,
            endsAt: null,
          }),
        ),
      ),
  },
  LIST_NOTES: {
    name: 'List the notes',
    description: 'Lists the notes, oldest first.',
    properties: {},
    run: async ({ store, entityId }) => ({ notes: (await store.listItems(entityId, 'note')).map(toNote) }),
  },
  DELETE_NOTE: {
    name: 'Delete a note',
    description: 'Deletes a note from the notebook.',
    properties: { id: { type: 'string', format: 'uuid' } },
    required: ['id'],
    run: (call) => remove(call, 'note'),
  },
}

const calendar: Record<string, DemoAction> = {
  ADD_EVENT: {
    name: 'Add an event',
    description: 'Adds an event to the calendar.',
    properties: { title, starts_at: time, ends_at: time, place: { type: 'string', maxLength: 200 } },
    required: ['title', 'starts_at', 'ends_at'],
    run: ({ store, entityId, key, parameters }) => {
      const [startsAt, endsAt] = [readTime(parameters, 'starts_at'), readTime(parameters, 'ends_at')]
      if (endsAt < startsAt) throw new ProviderError('declined', 'an event ends before it starts')
      const event = {
        kind: 'event',
        title: readText(parameters, 'title'),
        body: readText(parameters, 'place'),
      } as const
      return store.once(key, async (rows) => toEvent(await rows.insertItem(entityId, { ...event, startsAt, endsAt })))
    },
  },
  LIST_EVENTS: {
    name: 'List the events',
    description: 'Lists the events, earliest first.',
    properties: {},
    run: async ({ store, entityId }) => ({ events: (await store.listItems(entityId, 'event')).map(toEvent) }),
  },
  CANCEL_EVENT: {
    name: 'Cancel an event',
    description: 'Deletes an event from the calendar.',
    properties: { id: { type: 'string', format: 'uuid' } },
    required: ['id'],
    run: (call) => remove(call, 'event'),
  },
}

/** Actions of toolkits without their own actions. Tests use them for failures, delays, large responses and files. */
const testActions: Record<string, DemoAction> = {
  ECHO: {
    name: 'Echo',
    description: 'Returns its parameters.',
    properties: { message: { type: 'string', minLength: 1, maxLength: 10_000 } },
    required: ['message'],
    run: ({ parameters }) => Promise.resolve({ ...parameters }),
  },
  FAIL: {
    name: 'Fail',
    description: 'Always fails: the service rejects it.',
    properties: {},
    run: () => Promise.reject(new ProviderError('declined', 'the demo action that always fails')),
  },
  WAIT: {
    name: 'Wait',
    description: 'Returns after the given number of seconds. The time limit is one minute.',
    properties: { seconds: { type: 'number', minimum: 0, maximum: 120 } },
    required: ['seconds'],
    run: async ({ parameters, signal }) => {
      const seconds = Number(parameters['seconds'])
      await pause(seconds * 1000, undefined, { signal })
      return { waited_seconds: seconds }
    },
  },
  FILL: {
    name: 'Return many bytes',
    description: 'Returns a text of the requested length.',
    properties: { bytes: { type: 'integer', minimum: 0, maximum: maxResultBytes } },
    required: ['bytes'],
    run: ({ parameters }) => Promise.resolve({ text: 'x'.repeat(Number(parameters['bytes'])) }),
  },
  SHOW_IMAGE: {
    name: 'Show an image',
    description: 'Accepts a staged image and returns its metadata.',
    properties: { image: fileParameter('The image.'), caption: { type: 'string', maxLength: 500 } },
    required: ['image'],
    fileFields: ['image'],
    run: async ({ parameters, files }) => {
      const { name, mimetype, key } = fileDescriptor.parse(parameters['image'])
      const bytes = await files.read(key)
      if (bytes === undefined) throw new ProviderError('declined', 'the action file no longer exists')
      const caption = readText(parameters, 'caption')
      return { name, mimetype, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), caption }
    },
  },
}

/** Demo toolkits with their own actions. */
export const demoToolkits = [
  { slug: 'notebook', name: 'Notebook (demo)' },
  { slug: 'calendar', name: 'Calendar (demo)' },
] as const

export function listActions(toolkit: string): ConnectorAction[] {
  return listRunnableActions(toolkit).map(({ action }) => action)
}

/** Returns the function that runs an action; undefined for an unknown slug. */
export function findActionFunction(toolkit: string, actionSlug: string): DemoAction['run'] | undefined {
  return listRunnableActions(toolkit).find(({ action }) => action.actionSlug === actionSlug)?.run
}

function listRunnableActions(toolkit: string): { action: ConnectorAction; run: DemoAction['run'] }[] {
  return Object.entries(selectActions(toolkit)).map(([name, { run, properties, required, fileFields, ...rest }]) => ({
    run,
    action: {
      ...rest,
      actionSlug: `${toolkit.toUpperCase().replaceAll('-', '_')}_${name}`,
      toolkit,
      parameters: {
        type: 'object',
        properties,
        required: required ?? [],
        // ECHO accepts any additional parameters.
        ...(name !== 'ECHO' && { additionalProperties: false }),
      },
      fileFields: fileFields ?? [],
    },
  }))
}

function selectActions(toolkit: string): Record<string, DemoAction> {
  if (toolkit === 'notebook') return notebook
  return toolkit === 'calendar' ? calendar : testActions
}

function remove({ store, entityId, key, parameters }: DemoCall, kind: DemoItem['kind']): Promise<JsonObject> {
  return store.once(key, async (rows) => {
    if (!(await rows.deleteItem(entityId, kind, readText(parameters, 'id'))))
      throw new ProviderError('declined', `the ${kind} does not exist`)
    return { deleted: true }
  })
}

function readText(parameters: JsonObject, name: string): string {
  const value = parameters[name]
  return typeof value === 'string' ? value : ''
}

function readTime(parameters: JsonObject, name: string): Date {
  return new Date(readText(parameters, name))
}

function toNote({ id, title, body, createdAt }: DemoItem): JsonObject {
  return { id, title, text: body, created_at: createdAt.toISOString() }
}

function toEvent({ id, title, body, startsAt, endsAt }: DemoItem): JsonObject {
  return { id, title, place: body, starts_at: startsAt?.toISOString(), ends_at: endsAt?.toISOString() }
}
