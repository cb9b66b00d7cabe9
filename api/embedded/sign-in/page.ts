import { html } from '../../../domain/pages/html.ts'
import { embeddedPage } from '../../../providers/embedded-page.ts'
import { authorizationFields, type AuthorizationRequest } from './request.ts'

const notice = 'The issuer of this development deployment. Whoever has its token signs in as any address.'

type Shown = {
  sent: AuthorizationRequest
  email: string
  /** The browser knows the development token. */
  isOpen: boolean
  fault?: { field: 'email' | 'token'; text: string } | undefined
}

/** Asks who signs in. */
export function signInPage({ sent, email, isOpen, fault }: Shown): string {
  const invalid = (field: 'email' | 'token') =>
    fault?.field === field ? html` aria-invalid="true" aria-describedby="fault"` : undefined
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
        <input
          name="email"
          type="email"
          autocomplete="username"
          required
          autofocus
          value="${email}"
          ${invalid('email')}
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
                ${invalid('token')}
              />
              <small><code>npm start</code> prints it; it is in <code>data/local.json</code>, too.</small></label
            >`
      }
      <button>Sign in</button>
    </form>`,
  })
}

/** Says why nobody is sent on. */
export function refusalPage(text: string): string {
  return embeddedPage({ title: 'Sign in', notice, content: html`<p class="error" role="alert">${text}</p>` })
}
