import './style/index.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { AccessGate } from './access/gate.tsx'
import { restoreSignIn } from './access/sign-in/restore.ts'
import { createQueryClient } from './access/queries.ts'
import { createConsoleRouter } from './router.tsx'
import { theme } from './style/theme.ts'

const root = document.querySelector('#root')
if (root === null) throw new Error('The page has no root.')
const Returned = lazy(async () => ({ default: (await import('./connectors/returned.tsx')).Returned }))
const queries = createQueryClient()
const router = createConsoleRouter()
const colorSchemes = localStorageColorSchemeManager({ key: 'backline-colors' })

void restoreSignIn()

createRoot(root).render(
  <StrictMode>
    {/* The policy of the page forbids style elements, so the variables of the theme are part of the style sheet. */}
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemes}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queries}>
        {location.pathname === '/console/connected' ? (
          <Suspense>
            <Returned />
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
