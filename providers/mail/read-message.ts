import PostalMime from 'postal-mime'

/**
 * Parses a MIME message. The texts do not contain attached messages, because parsing thousands of nested messages takes ten
 * times as long. A message of millions of lines can take a minute.
 */
export async function readMessage(raw: Uint8Array) {
  const parsed = await PostalMime.parse(raw, { forceRfc822Attachments: true })
  return {
    from: parsed.from?.name ? `${parsed.from.name} <${parsed.from.address ?? ''}>` : (parsed.from?.address ?? ''),
    to: (parsed.to ?? []).map(({ address }) => address ?? ''),
    cc: (parsed.cc ?? []).map(({ address }) => address ?? ''),
    subject: parsed.subject ?? '',
    text: parsed.text ?? '',
    html: parsed.html ?? '',
    headers: parsed.headers.map(({ key, value }) => ({ name: key, value })),
  }
}

export type ParsedMessage = Awaited<ReturnType<typeof readMessage>>
