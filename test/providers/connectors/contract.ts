import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../domain/connectors/connector.ts'
import type { BrokerPort } from '../../../providers/connectors/index.ts'

export type BrokerUnderTest = {
  broker: BrokerPort
  toolkit: string
  /** An action that returns a result for `parameters`. */
  action: string
  parameters: JsonObject
  /** An action that the service rejects. */
  refused: { action: string; parameters: JsonObject }
  /** Opens the consent page at a URL and allows or refuses. Returns the parameters of the callback URL. */
  answerConsent: (redirectUrl: string, choice: 'allow' | 'refuse') => Promise<URLSearchParams>
  /** Name that the service reports for the connected account, or null if it reports none. */
  accountName: string | null
  /** Returns a new entity id: the ids of two accounts. */
  createEntityId: () => Promise<string>
}

const callbackUrl = 'http://localhost:8787/api/connectors/callback'
const createCall = () => ({ deadline: new Date(Date.now() + 10_000), requestId: 'contract' })

/** Declares the tests that every broker passes. */
export const describeBroker = (name: string, subject: () => BrokerUnderTest): void => {
  const sendRequest = async () => {
    const { broker, toolkit, createEntityId } = subject()
    const [entityId, state] = [await createEntityId(), randomUUID()]
    const authorization = await broker.authorize(
      { entityId, toolkit, callbackUrl, state, recipient: 'ada@example.com' },
      createCall(),
    )
    return { ...authorization, entityId, state }
  }
  const connect = async () => {
    const { broker, answerConsent } = subject()
    const { redirectUrl, connectedAccountId: id, entityId, state } = await sendRequest()
    const returned = await answerConsent(redirectUrl, 'allow')
    expect(returned.get('state')).toBe(state)
    return { id, entityId, connection: await broker.getConnection(id, returned, createCall()) }
  }
  const findAction = async (slug: string) => {
    const { broker, toolkit } = subject()
    const action = (await broker.listActions([toolkit], createCall())).find(({ actionSlug }) => actionSlug === slug)
    if (action === undefined) throw new Error(`${slug} is not offered`)
    return action
  }

  describe(name, () => {
    test('connects the requested entity and toolkit once a person allows it', async () => {
      const { broker, toolkit, accountName } = subject()
      const { id, entityId, connection } = await connect()
      const expected = { connectedAccountId: id, entityId, toolkit, active: true, accountName }
      expect(connection).toEqual(expected)
      expect(await broker.listConnections(entityId, createCall())).toEqual([expected])
      expect(await broker.listConnections(await subject().createEntityId(), createCall())).toEqual([])
    })

    test('lists no active connection before a person allows it', async () => {
      const { broker } = subject()
      const { connectedAccountId: id, entityId } = await sendRequest()
      expect((await broker.listConnections(entityId, createCall())).filter(({ active }) => active)).toEqual([])
      const action = await findAction(subject().action)
      const input = { entityId, connectedAccountId: id, action, parameters: subject().parameters }
      await expect(broker.execute(input, createCall())).rejects.toMatchObject({
        kind: 'declined',
        code: 'disconnected',
      })
    })

    test('offers actions of the requested toolkits with object schemas', async () => {
      const { broker, toolkit } = subject()
      const actions = await broker.listActions([toolkit], createCall())
      expect(actions.length).toBeGreaterThan(0)
      for (const { actionSlug, parameters, ...action } of actions) {
        expect(actionSlug).toMatch(/^[A-Z0-9_]{1,200}$/)
        expect([action.toolkit, parameters['type']]).toEqual([toolkit, 'object'])
      }
      expect(await broker.listActions([], createCall())).toEqual([])
    })

    test('acts only for the entity of the connection, and reports rejections', async () => {
      const { broker, parameters, refused } = subject()
      const { id, entityId } = await connect()
      const action = await findAction(subject().action)
      const input = { entityId, connectedAccountId: id, action, parameters }
      expect(await broker.execute(input, createCall())).toEqual({ result: expect.any(Object) })
      const outsider = { ...input, entityId: await subject().createEntityId() }
      await expect(broker.execute(outsider, createCall())).rejects.toMatchObject({ name: 'ProviderError' })
      const refusing = { ...input, action: await findAction(refused.action), parameters: refused.parameters }
      await expect(broker.execute(refusing, createCall())).rejects.toMatchObject({
        name: 'ProviderError',
        code: expect.not.stringMatching('disconnected'),
      })
    })

    test('disconnects permanently, and a second disconnect causes no error', async () => {
      const { broker, parameters } = subject()
      const { id, entityId } = await connect()
      await broker.disconnect(id, createCall())
      await broker.disconnect(id, createCall())
      expect(await broker.listConnections(entityId, createCall())).toEqual([])
      await expect(broker.getConnection(id, new URLSearchParams(), createCall())).rejects.toMatchObject({
        kind: 'not_found',
      })
      const input = { entityId, connectedAccountId: id, action: await findAction(subject().action), parameters }
      await expect(broker.execute(input, createCall())).rejects.toMatchObject({ name: 'ProviderError' })
    })

    test('rejects a call whose deadline has passed', async () => {
      const { broker, toolkit, createEntityId } = subject()
      const expiredCall = { deadline: new Date(Date.now() - 1), requestId: 'contract' }
      const input = { entityId: await createEntityId(), toolkit, callbackUrl, state: 's', recipient: 'ada@example.com' }
      const authorization = broker.authorize(input, expiredCall)
      await expect(authorization).rejects.toMatchObject({ kind: 'timeout' })
    })
  })
}
