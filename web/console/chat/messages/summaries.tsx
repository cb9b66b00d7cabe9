import { useQuery } from '@tanstack/react-query'
import { api } from '../../access/api.ts'
import { read } from '../../access/failure.ts'
import { Markdown } from '../../parts/markdown.tsx'
import { compact, count } from '../../parts/words.tsx'

type Summary = {
  id: string
  text: string
  messages: number
  throughMessageId: string
  tokensBefore: number
  tokensAfter: number
}

/** Summaries of the chat by the last message that each replaces. `lastId`: a turn that ends may have written another. */
export function useSummaries(chatId: string, lastId: string | undefined, isBusy: boolean): Map<string, Summary> {
  const { data = [] } = useQuery({
    queryKey: ['summaries', chatId, lastId],
    queryFn: async () =>
      (await read(api.GET('/api/chat/{chatId}/summaries', { params: { path: { chatId } } }))).summaries,
    enabled: !isBusy && lastId !== undefined,
    placeholderData: (before) => before,
  })
  return new Map(data.toReversed().map((summary) => [summary.throughMessageId, summary]))
}

/** Marks the place up to which the model reads a summary instead of the messages. */
export function SummaryNote({ summary: { text, messages, tokensBefore, tokensAfter } }: { summary: Summary }) {
  return (
    <details className="summary-note">
      <summary>
        The model reads a summary of the {count(messages)} messages above ({compact(tokensBefore)} →{' '}
        {compact(tokensAfter)} tokens)
      </summary>
      <Markdown text={text} />
    </details>
  )
}
