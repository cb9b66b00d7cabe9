import { useQuery } from '@tanstack/react-query'
import { createClient } from '../../../client/index.ts'
import { read } from './failure.ts'
import { apiOrigin } from './settings.ts'

/** Reads the public settings of this deployment. */
export function readConsoleSettings() {
  return read(createClient({ baseUrl: apiOrigin, apiKey: '' }).GET('/api/console/settings'))
}

/** Returns the public settings of this deployment; undefined while they load. */
export function useDeployment() {
  return useQuery({ queryKey: ['settings'], queryFn: readConsoleSettings, staleTime: Infinity }).data
}
