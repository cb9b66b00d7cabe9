import { Button, Title } from '@mantine/core'
import IconCopy from '@tabler/icons-react/icons/IconCopy'
import { useInfiniteQuery } from '@tanstack/react-query'
import { api } from '../../access/api.ts'
import { IconButton } from '../../parts/buttons/icon-button.tsx'
import { Failed, Loading } from '../../parts/loaded.tsx'
import { Output } from '../../parts/output.tsx'
import { copyText, showError } from '../../parts/toasts/toasts.ts'
import { count } from '../../parts/words.tsx'

type TextId = { runId: string; entryId: string; part: 'input' | 'output' | 'reasoning' }
type Props = TextId & {
  title: string
  /** Shows nothing if there is no text. */
  isOptional?: boolean
  /** Shown if there is no text. */
  empty?: string
}

const charactersPerPage = 20_000
const charactersPerCopy = 200_000

/** One text of an entry: its beginning, a button that shows more, and a button that copies the complete text. */
export function EntryText({ title, isOptional = false, empty = 'No text.', ...textId }: Props) {
  const { runId, entryId, part } = textId
  const query = useInfiniteQuery({
    queryKey: ['entry', runId, entryId, part],
    queryFn: ({ pageParam: offset }) => readPage(textId, offset, charactersPerPage),
    initialPageParam: 0,
    getNextPageParam: ({ nextOffset }) => nextOffset,
    staleTime: 60_000,
  })
  const { data, error, hasNextPage, isFetchingNextPage } = query
  const [first] = data?.pages ?? []
  const text = data?.pages.map((page) => page.text ?? '').join('') ?? ''
  if (isOptional && (first === undefined || first.text === null)) return null
  return (
    <div className="entry-text">
      <header>
        <Title order={4} size="h5">
          {title}
        </Title>
        {text !== '' && (
          <IconButton
            size="sm"
            label={`Copy: ${title}`}
            Icon={IconCopy}
            onClick={() => void copy(textId).catch(showError)}
          />
        )}
      </header>
      {first === undefined &&
        (error === null ? <Loading /> : <Failed error={error} onRetry={() => void query.refetch()} />)}
      {first !== undefined &&
        (text === '' ? (
          <p className="quiet">{empty}</p>
        ) : (
          <Output text={part === 'reasoning' ? text : toReadable(text)} label={title} />
        ))}
      {hasNextPage && (
        <Button size="xs" variant="default" loading={isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show more: {count(text.length)} of {count(first?.totalCharacters)} characters
        </Button>
      )}
    </div>
  )
}

function readPage({ runId, entryId, part }: TextId, offset: number, limit: number) {
  const input = { path: { runId, entryId }, query: { part, offset, limit } }
  return api.GET('/api/runs/{runId}/entries/{entryId}', input)
}

/** Copies the complete text, including parts that are not loaded. */
async function copy(textId: TextId): Promise<void> {
  let fullText = ''
  for (let offset: number | null = 0; offset !== null;) {
    const { text, nextOffset } = await readPage(textId, offset, charactersPerCopy)
    fullText += text ?? ''
    offset = nextOffset
  }
  await copyText(fullText)
}

/** Formats a JSON object with one field per paragraph and real line breaks. Returns any other text unchanged. */
function toReadable(text: string): string {
  if (!/^\s*[[{"]/.test(text)) return text
  try {
    const value = JSON.parse(text) as unknown
    if (typeof value === 'string') return value
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value, null, 2)
    return Object.entries(value)
      .map(([name, field]) => `${name}:${formatField(field)}`)
      .join('\n')
  } catch {
    return unescapeJson(text)
  }
}

/** Unescapes truncated JSON, which cannot be parsed. */
function unescapeJson(text: string): string {
  return text.replaceAll(/\\(["\\nt])/g, (_, character: string) => ({ n: '\n', t: '\t' })[character] ?? character)
}

function formatField(value: unknown): string {
  if (typeof value !== 'string') return ` ${JSON.stringify(value, null, 2)}`
  return value.includes('\n') ? `\n${value.trimEnd()}` : ` ${value}`
}
