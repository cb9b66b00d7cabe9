import { html } from '../../../domain/pages/html.ts'
import { embeddedPage } from '../../../providers/embedded-page.ts'
import { authorizationFields, type AuthorizationRequest } from './request.ts'

const notice = 'The issuer of this development deployment. Anyone with its token signs in as any address.'

type Shown = {
  sent: AuthorizationRequest
  email: string
  /** The browser has the development token. */
  isOpen: boolean
  fault?: { field: 'email' | 'token'; text: string } | undefined
}

/** Asks for the person to sign in as. */
export function signInPage({ sent, email, isOpen, fault }: Shown): string {
  const first = fault?.field ?? (email === '' || isOpen ? 'email' : 'token')
  const fieldAttributes = (field: 'email' | 'token') => [
    field === first && html` autofocus`,
    fault?.field === field && html` aria-invalid="true" aria-describedby="fault"`,
  ]
  return embeddedPage({
    title: 'Sign in',
    notice,
    content: html`<form method="post" action="/identity/authorize">
      ${authorizationFields.map((name) => {
        const value = sent[name]
        return value === undefined ? undefined : html`<input type="hidden" name="${name}" value="${value}" /> `
      })}
      ${fault && html`<p class="error" id="fault" role="alert">${fault.text}</p>`}
      <label
        >Email address
        <input name="email" type="email" autocomplete="username" required value="${email}" ${fieldAttributes('email')}
      /></label>
      ${
        isOpen
          ? html`<p class="quiet">This browser has the development token.</p>`
          : html`<label
              >Development token
              <input
                name="development_token"
                type="password"
                autocomplete="current-password"
                required
                ${fieldAttributes('token')}
              />
              <small><code>npm start</code> prints it; it is in <code>data/local.json</code>, too.</small></label
            >`
      }
      <button>Sign in</button>
    </form>`,
  })
}

/** Redirects. Visible only in browsers that do not follow automatically. */
export function openedPage(consoleUrl: string): string {
  return embeddedPage({
    title: 'Sign in',
    notice,
    content: html`<p>This browser has the development token now.</p>
      <p><a href="${consoleUrl}">Open the console</a></p>`,
  })
}

/** Explains why the browser is not redirected. */
export function refusalPage(text: string): string {
  return embeddedPage({ title: 'Sign in', notice, content: html`<p class="error" role="alert">${text}</p>` })
}
