import { CodeHostUnavailableError, type GitHttpPort } from '../index.ts'
import { hasValidNames } from '../local/addresses.ts'
import { createGitHttp } from '../local/smart-http.ts'
import { publish } from './publish.ts'
import { completePushOutput } from './push-output.ts'
import { openStore, type StoreOptions } from './open.ts'

type GitHttpOptions = StoreOptions & {
  /** Limit of one push. */
  maxBytes: number
  log: { warn(details: object, message: string): void }
}

/** Serves git over HTTP for the repositories of the store. Each request has its own view. */
export function createStoreGitHttp(options: GitHttpOptions): GitHttpPort {
  const { maxBytes, log } = options
  const store = openStore(options)
  return createGitHttp({
    maxBytes,
    allowance: store.allowance,
    open: async (repository) => {
      const view = hasValidNames(repository) ? await store.views.open(repository) : undefined
      return (
        view && {
          directory: view.directory,
          close: () => view.close(),
          completePush: (output, push) =>
            completePushOutput(output, {
              push,
              readRef: (ref) => view.stored.refs[ref],
              storePush: () => publish(store, view, { repository, atomic: push.capabilities.includes('atomic') }),
              explainFailure: (error) => {
                log.warn({ err: error, ...repository }, 'a push was not stored')
                return error instanceof CodeHostUnavailableError
                  ? 'the object store does not respond: push again'
                  : 'the push was not stored: push again'
              },
            }),
        }
      )
    },
  })
}
