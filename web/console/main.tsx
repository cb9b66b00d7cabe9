import './style/index.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { AccessGate } from './access/gate.tsx'
import { createQueryClient } from './access/queries.ts'
import { Returned } from './connectors/returned.tsx'
import { createConsoleRouter } from './router.tsx'
import { applyTheme, readTheme } from './shell/theme.ts'

const root = document.querySelector('#root')
if (root === null) throw new Error('The page has no root.')
applyTheme(readTheme())
const queries = createQueryClient()
const router = createConsoleRouter()

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      {location.pathname === '/console/connected' ? (
        <Returned />
      ) : (
        <AccessGate>
          <RouterProvider router={router} />
        </AccessGate>
      )}
    </QueryClientProvider>
  </StrictMode>,
)
