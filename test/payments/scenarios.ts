import { findCustomer } from '../../db/payments/customers.ts'
import { createBrowser, cardForm } from './pages/browser.ts'
import { eventually, type World } from '../world/world.ts'
import { topUpAccount } from '../../workflows/payments/messages.ts'

type Scenario = { play: (world: World) => Promise<string> }

/** Creates an account with a card on file at the embedded provider. */
export const createCardHolder = async (world: World, credits = 0): Promise<{ id: string; key: string }> => {
  const { id, key } = await world.makeAccount({ credits })
  const page = await world.request<{ url: string }>('POST', `/api/accounts/${id}/payment-method`, { key })
  await createBrowser(world).send(page.body.url, cardForm('4242424242424242'))
  await eventually('the card on file', async () => (await findCustomer(world.db, id))?.defaultCard ?? undefined)
  return { id, key }
}

/** Scenarios of the payment workflows, for the history recorder. */
export const paymentScenarios: Record<string, Scenario> = {
  'mirror-owner': {
    play: async (world) => {
      const { body } = await world.request<{ id: string; url: string }>('POST', '/api/subscriptions/sessions')
      await createBrowser(world).send(body.url, cardForm('4242424242424242', { email: 'buyer@new.example' }))
      return eventually('the owner', async () => {
        const [row] = await world.db<{ id: string }[]>`
          select subscription_id as id from subscriptions where mirrored_account_id is not null`
        return row && `owner:${row.id}`
      })
    },
  },
  'top-up-account': {
    play: async (world) => {
      const { id, key } = await createCardHolder(world)
      const body = { enabled: true, amountCents: 500, thresholdCents: 100 }
      await world.request('PUT', `/api/accounts/${id}/auto-top-up`, { key, body })
      await world.engine.start(topUpAccount, { accountId: id })
      return `top-up:${id}`
    },
  },
  'charge-card': {
    play: async (world) => {
      const { id, key } = await createCardHolder(world)
      await world.request('POST', '/api/credits/sessions', { key, body: { credits: 1_000_000 } })
      const [intent] = await world.db<{ id: string }[]>`select id from payment_intents where account_id = ${id}`
      return `charge:${intent?.id}`
    },
  },
}
