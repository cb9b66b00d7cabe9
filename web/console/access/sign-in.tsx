import { useEffect, useState } from 'react'
import { Form, TextField } from '../parts/form.tsx'
import { explain } from './failure.ts'
import { signIn } from './credential.ts'
import { identify } from './identify.ts'
import { beginSignIn, finishSignIn, isReturn, readConsoleSettings, type SignInSettings } from './issuer.ts'
import { serviceName } from './settings.ts'

export function SignIn({ notice }: { notice: string | undefined }) {
  const [fault, setFault] = useState<string>()
  const [isReturning, setReturning] = useState(isReturn)
  const issuer = useIssuer()
  useEffect(() => {
    if (!isReturn()) return
    finishSignIn()
      .then(signIn)
      .catch((error: unknown) => {
        setFault(explain(error))
        setReturning(false)
      })
  }, [])
  return (
    <main className="sign-in" id="content">
      <h1>{serviceName}</h1>
      <p className="quiet">The console for the people who run and use it.</p>
      {notice !== undefined && (
        <p className="notice" role="status">
          {notice}
        </p>
      )}
      {fault !== undefined && (
        <p className="error" role="alert">
          {fault}
        </p>
      )}
      {isReturning ? <p role="status">Signing in …</p> : <Ways issuer={issuer} onFault={setFault} />}
    </main>
  )
}

function Ways({ issuer, onFault }: { issuer: SignInSettings | undefined; onFault: (text: string) => void }) {
  return (
    <>
      {issuer !== undefined && (
        <>
          <button
            type="button"
            className="wide"
            onClick={() => void beginSignIn(issuer).catch((error: unknown) => onFault(explain(error)))}
          >
            Sign in
          </button>
          {issuer.isEmbedded && (
            <p className="quiet">
              By the issuer of development: with an email address and the development token that <code>npm start</code>{' '}
              prints.
            </p>
          )}
          <p className="or">or</p>
        </>
      )}
      <KeyForm />
    </>
  )
}

function KeyForm() {
  const [isShown, setShown] = useState(false)
  return (
    <Form submit="Use this key" onSubmit={async (fields) => signIn(await identify({ key: fields.text('key') }))}>
      <TextField
        name="key"
        label="API key"
        type={isShown ? 'text' : 'password'}
        hint="It stays in the memory of this page, and is forgotten when you close or reload it."
        required
        autoComplete="off"
        spellCheck={false}
      />
      <label className="choice">
        <input type="checkbox" checked={isShown} onChange={() => setShown(!isShown)} /> Show the key
      </label>
    </Form>
  )
}

/** Undefined while it is asked for, and where people sign in by key alone. */
function useIssuer(): SignInSettings | undefined {
  const [issuer, setIssuer] = useState<SignInSettings>()
  useEffect(() => {
    readConsoleSettings().then(
      ({ signIn }) => setIssuer(signIn ?? undefined),
      () => {},
    )
  }, [])
  return issuer
}
