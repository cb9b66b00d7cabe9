import { sendJson, serveVendor, type Call } from './http.ts'

type Post = {
  ts: string
  channel: string
  thread_ts: string
  text: string
  metadata?: { event_type: string; event_payload: Record<string, unknown> }
  files?: { id: string; name: string; bytes: Buffer }[]
}

/** Starts a fake Slack Web API with the methods that a bot needs to post. */
export async function startSlack(token: string) {
  const posted: Post[] = []
  const uploads = new Map<string, { name: string; length: number; bytes?: Buffer }>()
  /** Accepts the next post and sends no response. */
  let holdNext = false

  const acceptPost = (response: Call['response'], post: Post): void => {
    posted.push(post)
    if (holdNext) holdNext = false
    else
      sendJson(response, 200, {
        ok: true,
        ts: post.ts,
        channel: post.channel,
        files: post.files?.map(({ id }) => ({ id })),
      })
  }
  const nextTs = (): string => `1700000000.${String(posted.length + 1).padStart(6, '0')}`

  const methods: Record<string, (form: URLSearchParams, call: Call) => void> = {
    'chat.postMessage': (form, { response }) => {
      const metadata = form.get('metadata')
      acceptPost(response, {
        ts: nextTs(),
        channel: form.get('channel') ?? '',
        thread_ts: form.get('thread_ts') ?? '',
        text: form.get('text') ?? '',
        ...(metadata !== null && { metadata: JSON.parse(metadata) as Post['metadata'] & object }),
      })
    },
    'files.getUploadURLExternal': (form, { response }) => {
      const id = `F${uploads.size + 1}`
      uploads.set(id, { name: form.get('filename') ?? '', length: Number(form.get('length')) })
      sendJson(response, 200, { ok: true, file_id: id, upload_url: `${vendor.url}/upload/${id}` })
    },
    'files.completeUploadExternal': (form, { response }) => {
      const files = (JSON.parse(form.get('files') ?? '[]') as { id: string }[]).map(({ id }) => {
        const { name = '', bytes = Buffer.alloc(0) } = uploads.get(id) ?? {}
        return { id, name, bytes }
      })
      acceptPost(response, {
        ts: nextTs(),
        channel: form.get('channel_id') ?? '',
        thread_ts: form.get('thread_ts') ?? '',
        text: form.get('initial_comment') ?? '',
        files,
      })
    },
    'conversations.replies': (form, { response }) => {
      const messages = posted
        .filter(({ thread_ts }) => thread_ts === form.get('ts'))
        .map(({ files, ...message }) => ({ ...message, files: files?.map(({ id, name }) => ({ id, name })) }))
      sendJson(response, 200, { ok: true, messages, response_metadata: { next_cursor: '' } })
    },
  }

  const vendor = await serveVendor(
    (call) => {
      const { path, headers, body, response } = call
      const uploaded = uploads.get(/^\/upload\/(F\d+)$/.exec(path)?.[1] ?? '')
      if (uploaded !== undefined) {
        uploaded.bytes = body
        sendJson(response, body.length === uploaded.length ? 200 : 400)
        return Promise.resolve()
      }
      const method = methods[path.replace('/api/', '')]
      if (headers.authorization !== `Bearer ${token}`) sendJson(response, 200, { ok: false, error: 'invalid_auth' })
      else if (method === undefined) sendJson(response, 200, { ok: false, error: 'unknown_method' })
      else method(new URLSearchParams(body.toString()), call)
      return Promise.resolve()
    },
    () => Promise.resolve(),
  )
  return {
    ...vendor,
    apiUrl: `${vendor.url}/api/`,
    posted,
    holdNextPost: (): void => void (holdNext = true),
    /** Makes the next call of the method fail with Slack's error format. */
    refuseNext: (name: string, error: string): void => {
      const handler = methods[name]
      if (handler === undefined) throw new Error(`no method ${name}`)
      methods[name] = (_, { response }) => {
        methods[name] = handler
        sendJson(response, 200, { ok: false, error })
      }
    },
  }
}
