import './style/index.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { AccessGate } from './access/gate.tsx'
import { restoreSignIn } from './access/sign-in/restore.ts'
import { queryClient } from './access/queries.ts'
import { createConsoleRouter } from './router.tsx'
import { theme } from './style/theme.ts'

const root = document.querySelector('#root')
if (root === null) throw new Error('The page has no #root element.')
const ConsentReturnPage = lazy(async () => ({
  default: (await import('./connectors/consent-return.tsx')).ConsentReturnPage,
}))
const router = createConsoleRouter()
const colorSchemes = localStorageColorSchemeManager({ key: 'backline-colors' })

void restoreSignIn()

createRoot(root).render(
  <StrictMode>
    {/* The content security policy forbids style elements, so the style sheet contains the theme variables. */}
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemes}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queryClient}>
        {location.pathname === '/console/connected' ? (
          <Suspense>
            <ConsentReturnPage />
          </Suspense>
        ) : (
          <AccessGate>
            <RouterProvider router={router} />
          </AccessGate>
        )}
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
