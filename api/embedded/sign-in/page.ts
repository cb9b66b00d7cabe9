import { html } from '../../../domain/pages/html.ts'
import { embeddedPage } from '../../../providers/embedded-page.ts'
import { authorizationFields, type AuthorizationRequest } from './request.ts'

const notice =
  'This is the token issuer of a development deployment. Anyone with the development token can sign in with any email address.'

type SignInPageProps = {
  request: AuthorizationRequest
  email: string
  /** The browser has the development token. */
  hasToken: boolean
  inputError?: { field: 'email' | 'token'; text: string } | undefined
}

/** Renders the sign-in form. */
export function signInPage({ request, email, hasToken, inputError }: SignInPageProps): string {
  const focusedField = inputError?.field ?? (email === '' || hasToken ? 'email' : 'token')
  const fieldAttributes = (field: 'email' | 'token') => [
    field === focusedField && html` autofocus`,
    inputError?.field === field && html` aria-invalid="true" aria-describedby="error"`,
  ]
  return embeddedPage({
    title: 'Sign in',
    notice,
    content: html`<form method="post" action="/identity/authorize">
      ${authorizationFields.map((name) => {
        const value = request[name]
        return value === undefined ? undefined : html`<input type="hidden" name="${name}" value="${value}" /> `
      })}
      ${inputError && html`<p class="error" id="error" role="alert">${inputError.text}</p>`}
      <label
        >Email address
        <input name="email" type="email" autocomplete="username" required value="${email}" ${fieldAttributes('email')}
      /></label>
      ${
        hasToken
          ? html`<p class="quiet">The development token is stored in this browser.</p>`
          : html`<label
              >Development token
              <input
                name="development_token"
                type="password"
                autocomplete="current-password"
                required
                ${fieldAttributes('token')}
              />
              <small><code>npm start</code> prints it and stores it in <code>data/local.json</code>.</small></label
            >`
      }
      <button>Sign in</button>
    </form>`,
  })
}

/** Renders the page that redirects to the console. Visible only in browsers that do not follow the redirect. */
export function tokenStoredPage(consoleUrl: string): string {
  return embeddedPage({
    title: 'Sign in',
    notice,
    content: html`<p>The development token is now stored in this browser.</p>
      <p><a href="${consoleUrl}">Open the console</a></p>`,
  })
}

/** Renders the reason why the browser is not redirected. */
export function rejectionPage(text: string): string {
  return embeddedPage({ title: 'Sign in', notice, content: html`<p class="error" role="alert">${text}</p>` })
}
