import type { World } from '../world.ts'
import { createBrowser, typed } from './browser.ts'
import { eventually } from '../world.ts'

type Told = { story: (world: World) => Promise<string> }

/** Every path of the workflows of payments, for the recorder of histories. */
export const paymentStories: Record<string, Told> = {
  'mirror-owner': {
    story: async (world) => {
      const { body } = await world.request<{ id: string; url: string }>('POST', '/api/subscriptions/sessions')
      await createBrowser(world).send(body.url, typed('4242424242424242', { email: 'somebody@new.example' }))
      return eventually('the owner', async () => {
        const [row] = await world.db<{ id: string }[]>`
          select subscription_id as id from subscriptions where mirrored_account_id is not null`
        return row && `owner:${row.id}`
      })
    },
  },
  'top-up-account': {
    story: async (world) => {
      const { id, key } = await world.makeAccount({ credits: 0 })
      const page = await world.request<{ url: string }>('POST', `/api/accounts/${id}/payment-method`, { key })
      await createBrowser(world).send(page.body.url, typed('4242424242424242'))
      const body = { enabled: true, amountCents: 500, thresholdCents: 100 }
      await eventually('the card on file', async () => {
        const { status } = await world.request('PUT', `/api/accounts/${id}/auto-top-up`, { key, body })
        return status === 200 || undefined
      })
      await world.engine.topUpAccount(id)
      return `top-up:${id}`
    },
  },
}
