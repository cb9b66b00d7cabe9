import { useQuery } from '@tanstack/react-query'
import { createApi } from './calls.ts'

/** Reads the public settings of this deployment. */
export function readConsoleSettings() {
  return createApi().GET('/api/console/settings')
}

/** Returns the public settings of this deployment; undefined while they load. */
export function useDeployment() {
  return useQuery({ queryKey: ['settings'], queryFn: readConsoleSettings, staleTime: Infinity }).data
}
