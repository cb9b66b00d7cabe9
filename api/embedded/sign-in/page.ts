import { html, type Html } from '../../../domain/pages/html.ts'
import { embeddedPage } from '../../../providers/embedded-page.ts'

type Field = 'email' | 'token'
/** `hasToken`: the browser has stored the development token. */
export type SignInForm = { email: string; hasToken: boolean; error?: [Field, text: string] }

/** Renders the sign-in form, which is sent to the URL of the page. */
export function signInPage({ email, hasToken, error }: SignInForm): string {
  const focusedField = error?.[0] ?? (email === '' || hasToken ? 'email' : 'token')
  const fieldAttributes = (field: Field) => [
    field === focusedField && html` autofocus`,
    error?.[0] === field && html` aria-invalid="true" aria-describedby="error"`,
  ]
  return issuerPage(
    html`<form method="post">
      ${error && html`<p class="error" id="error" role="alert">${error[1]}</p>`}
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
  )
}

/** Renders the reason why the browser is not redirected. */
export function errorPage(text: string): string {
  return issuerPage(html`<p class="error" role="alert">${text}</p>`)
}

/** Renders a page of the issuer. */
export function issuerPage(content: Html): string {
  return embeddedPage({
    title: 'Sign in',
    notice:
      'This is the token issuer of a development deployment. Anyone with the development token can sign in with any email address.',
    content,
  })
}
