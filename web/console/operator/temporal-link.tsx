import { useQuery } from '@tanstack/react-query'
import { readConsoleSettings } from '../access/issuer.ts'
import { SafeLink } from '../parts/markdown.tsx'

/** The engine has a page of its own. */
export function TemporalLink() {
  const { data } = useQuery({ queryKey: ['settings'], queryFn: readConsoleSettings, staleTime: Infinity })
  const url = data?.links.temporalUi
  return url === null || url === undefined ? null : <SafeLink href={url}>Temporal</SafeLink>
}
