import { useEffect, useState } from 'react'
import { Form, TextField } from '../parts/form.tsx'
import { explain } from './failure.ts'
import { signIn } from './credential.ts'
import { identify } from './identify.ts'
import {
  beginSignIn,
  finishSignIn,
  handOver,
  isReturn,
  readConsoleSettings,
  signInBeside,
  type SignInBeside,
  type SignInSettings,
} from './issuer.ts'
import { serviceName } from './settings.ts'

type Props = {
  notice: string | undefined
  /** The page is kept: the way to the issuer must not leave it. */
  isAgain: boolean
}

export function SignIn({ notice, isAgain }: Props) {
  const [fault, setFault] = useState<string>()
  const returning = useReturn(setFault)
  const issuer = useIssuer()
  return (
    <main className="sign-in" id={isAgain ? undefined : 'content'}>
      <h1>{serviceName}</h1>
      <p className="quiet">The console for the people who run and use it.</p>
      {notice !== undefined && (
        <p className="notice" role="status">
          {notice}
          {isAgain && ' What you typed is kept.'}
        </p>
      )}
      {fault !== undefined && (
        <p className="error" role="alert">
          {fault}
        </p>
      )}
      {returning === 'under way' && <p role="status">Signing in …</p>}
      {returning === 'handed over' && (
        <p className="notice" role="status">
          You are signed in where you were. Go back to that tab; this one can be closed.
        </p>
      )}
      {returning === undefined && <Ways issuer={issuer} isAgain={isAgain} onFault={setFault} />}
    </main>
  )
}

/** What became of the answer of the issuer, where a person has just been sent back with one. */
function useReturn(onFault: (text: string) => void): 'under way' | 'handed over' | undefined {
  const [returning, setReturning] = useState<'under way' | 'handed over' | undefined>(
    isReturn() ? 'under way' : undefined,
  )
  useEffect(() => {
    if (!isReturn()) return
    const take = async (): Promise<void> => {
      if (await handOver()) setReturning('handed over')
      else signIn(await finishSignIn())
    }
    take().catch((error: unknown) => {
      onFault(explain(error))
      setReturning(undefined)
    })
  }, [])
  return returning
}

type WaysProps = { issuer: SignInSettings | undefined; isAgain: boolean; onFault: (text: string) => void }

function Ways({ issuer, isAgain, onFault }: WaysProps) {
  return (
    <>
      {issuer !== undefined && (
        <>
          {isAgain ? (
            <BesideLink issuer={issuer} onFault={onFault} />
          ) : (
            <button
              type="button"
              className="wide"
              onClick={() => void beginSignIn(issuer).catch((error: unknown) => onFault(explain(error)))}
            >
              Sign in
            </button>
          )}
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

/** Signs in in another tab, whose answer comes here. */
function BesideLink({ issuer, onFault }: { issuer: SignInSettings; onFault: (text: string) => void }) {
  const [beside, setBeside] = useState<SignInBeside>()
  useEffect(() => {
    let isOver = false
    let begun: SignInBeside | undefined
    const begin = async (): Promise<void> => {
      begun = await signInBeside(issuer)
      if (isOver) begun.giveUp()
      else setBeside(begun)
      signIn(await begun.credential)
    }
    begin().catch((error: unknown) => onFault(explain(error)))
    return () => {
      isOver = true
      begun?.giveUp()
    }
  }, [issuer])
  return beside === undefined ? (
    <p role="status">Preparing the sign-in …</p>
  ) : (
    <a className="button wide" href={beside.url} target="_blank" rel="noopener noreferrer">
      Sign in again in another tab
    </a>
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

/** Undefined while it loads, and if people can sign in by key only. */
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
