import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, type Schemas } from '../../access/api.ts'
import { Markdown } from '../../parts/markdown.tsx'
import { compact, count } from '../../parts/words.tsx'

type Summary = Schemas['ChatSummary']

/** Returns the summaries of the chat by the id of the last message that each replaces. Refetches when `lastId` changes. */
export function useSummaries(chatId: string, lastId: string | undefined, isBusy: boolean): Map<string, Summary> {
  const { data = [] } = useQuery({
    queryKey: ['summaries', chatId, lastId],
    queryFn: async () => (await api.GET('/api/chat/{chatId}/summaries', { path: { chatId } })).summaries,
    enabled: !isBusy && lastId !== undefined,
    placeholderData: keepPreviousData,
  })
  return new Map(data.toReversed().map((summary) => [summary.throughMessageId, summary]))
}

/** Note after the last message that a summary replaces for the model. */
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
