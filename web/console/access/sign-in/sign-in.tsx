import { Alert, Button, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { CheckField } from '../../parts/check-field.tsx'
import { Form, TextField } from '../../parts/form.tsx'
import { explain } from '../failure.ts'
import { signIn } from '../credential.ts'
import { readConsoleSettings } from '../deployment.ts'
import { identify } from '../identify.ts'
import {
  beginSignIn,
  finishSignIn,
  handOverResponse,
  beginSignInTab,
  type TabSignIn,
  type SignInSettings,
} from './issuer.ts'
import { isReturn } from './returning.ts'
import { serviceName } from '../settings.ts'

type Props = {
  notice: string | undefined
  /** True after an expired sign-in: the page is kept, so the sign-in must happen in another tab. */
  isAgain: boolean
}

export function SignIn({ notice, isAgain }: Props) {
  const [fault, setFault] = useState<string>()
  const returning = useIssuerResponse(setFault)
  const issuer = useIssuer()
  return (
    <main className="sign-in" id={isAgain ? undefined : 'content'}>
      <Title order={1}>{serviceName}</Title>
      <p className="quiet">The console for the people who run and use it.</p>
      {notice !== undefined && (
        <p className="notice" role="status">
          {notice}
          {isAgain && ' What you typed is kept.'}
        </p>
      )}
      {fault !== undefined && <Alert color="red">{fault}</Alert>}
      {returning === 'under way' && <p role="status">Signing in …</p>}
      {returning === 'handed over' && (
        <p className="notice" role="status">
          You are signed in. Return to the tab where you started; you can close this one.
        </p>
      )}
      {returning === undefined && <SignInOptions issuer={issuer} isAgain={isAgain} onFault={setFault} />}
    </main>
  )
}

/** Finishes a sign-in when the issuer has redirected back here. Undefined if there is nothing to finish. */
function useIssuerResponse(onFault: (text: string) => void): 'under way' | 'handed over' | undefined {
  const [returning, setReturning] = useState<'under way' | 'handed over' | undefined>(
    isReturn() ? 'under way' : undefined,
  )
  useEffect(() => {
    if (!isReturn()) return
    const take = async (): Promise<void> => {
      if (await handOverResponse()) setReturning('handed over')
      else signIn(await finishSignIn())
    }
    take().catch((error: unknown) => {
      onFault(explain(error))
      setReturning(undefined)
    })
  }, [])
  return returning
}

type SignInOptionsProps = { issuer: SignInSettings | undefined; isAgain: boolean; onFault: (text: string) => void }

function SignInOptions({ issuer, isAgain, onFault }: SignInOptionsProps) {
  return (
    <>
      {issuer !== undefined && (
        <>
          {isAgain ? (
            <SignInTabLink issuer={issuer} onFault={onFault} />
          ) : (
            <Button
              fullWidth
              onClick={() => void beginSignIn(issuer).catch((error: unknown) => onFault(explain(error)))}
            >
              Sign in
            </Button>
          )}
          {issuer.isEmbedded && (
            <p className="quiet">
              This is the development issuer: use an email address and the development token that <code>npm start</code>{' '}
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

/** Link that signs in through another tab and takes over its result. */
function SignInTabLink({ issuer, onFault }: { issuer: SignInSettings; onFault: (text: string) => void }) {
  const [tab, setTab] = useState<TabSignIn>()
  useEffect(() => {
    let isOver = false
    let begun: TabSignIn | undefined
    const begin = async (): Promise<void> => {
      begun = await beginSignInTab(issuer)
      if (isOver) begun.cancel()
      else setTab(begun)
      signIn(await begun.credential)
    }
    begin().catch((error: unknown) => onFault(explain(error)))
    return () => {
      isOver = true
      begun?.cancel()
    }
  }, [issuer])
  return tab === undefined ? (
    <p role="status">Preparing the sign-in …</p>
  ) : (
    <Button fullWidth component="a" href={tab.url} target="_blank" rel="noopener noreferrer">
      Sign in again in another tab
    </Button>
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
        hint="The key is kept only in the memory of this page, until you close or reload it."
        required
        autoComplete="off"
        spellCheck={false}
      />
      <CheckField label="Show the key" checked={isShown} onChange={() => setShown(!isShown)} />
    </Form>
  )
}

/** Settings of the issuer; undefined while they load, and if the deployment accepts only API keys. */
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
