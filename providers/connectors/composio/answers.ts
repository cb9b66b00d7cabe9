import { z } from 'zod'
import { recordList } from '../../records.ts'

const page = { next_cursor: z.string().nullish() }
const toolkit = z.object({ slug: z.string() })

export const toolList = z.object({
  ...page,
  items: recordList(
    'Composio tools',
    z.object({
      slug: z.string(),
      name: z.string(),
      description: z.string().nullish(),
      input_parameters: z.record(z.string(), z.unknown()),
      toolkit,
    }),
  ),
})

export const account = z.object({
  id: z.string(),
  user_id: z.string(),
  status: z.string(),
  is_disabled: z.boolean().nullish(),
  toolkit,
})
export type Account = z.output<typeof account>

export const accountList = z.object({ ...page, items: recordList('Composio accounts', account) })

export const link = z.object({ redirect_url: z.url(), connected_account_id: z.string() })

export const authConfigList = z.object({
  items: recordList('Composio auth configs', z.object({ id: z.string(), status: z.string() })),
})
export const newAuthConfig = z.object({ auth_config: z.object({ id: z.string() }) })

export const execution = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  successful: z.boolean(),
})

export const upload = z.object({
  key: z.string(),
  new_presigned_url: z.url(),
  metadata: z.object({ storage_backend: z.string() }).nullish(),
})

export const removal = z.object({ success: z.boolean() })
