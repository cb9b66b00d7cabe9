import { Alert, Button, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { CheckField } from '../../parts/check-field.tsx'
import { Notice } from '../../parts/page.tsx'
import { Form, TextField } from '../../parts/form.tsx'
import { explain } from '../failure.ts'
import { signIn } from '../credential.ts'
import { useDeployment } from '../deployment.ts'
import { identify } from '../identify.ts'
import {
  beginSignIn,
  finishSignIn,
  forwardResponse,
  beginSignInTab,
  type TabSignIn,
  type SignInSettings,
} from './issuer.ts'
import { isIssuerRedirect } from './issuer-redirect.ts'
import { serviceName } from '../settings.ts'

type Props = {
  notice: string | undefined
  /** True after a sign-in expired. The page stays open, so the user signs in through another tab. */
  isReauthentication: boolean
}

export function SignIn({ notice, isReauthentication }: Props) {
  const [error, setError] = useState<string>()
  const redirect = useIssuerResponse(setError)
  const issuer = useDeployment()?.signIn ?? undefined
  return (
    <main className="sign-in" id={isReauthentication ? undefined : 'content'}>
      <Title order={1}>{serviceName}</Title>
      <p className="quiet">Console for operators and users.</p>
      {notice !== undefined && (
        <Notice>
          {notice}
          {isReauthentication && ' Your input is kept.'}
        </Notice>
      )}
      {error !== undefined && <Alert color="red">{error}</Alert>}
      {redirect === 'in progress' && <p role="status">Signing in …</p>}
      {redirect === 'forwarded' && (
        <Notice>You are signed in. Return to the tab where you started. You can close this tab.</Notice>
      )}
      {redirect === undefined && (
        <SignInOptions issuer={issuer} isReauthentication={isReauthentication} onError={setError} />
      )}
    </main>
  )
}

/** Completes a sign-in after the issuer's redirect. Returns its state, or undefined if no redirect opened the page. */
function useIssuerResponse(onError: (text: string) => void): 'in progress' | 'forwarded' | undefined {
  const [redirect, setRedirect] = useState<'in progress' | 'forwarded' | undefined>(
    isIssuerRedirect() ? 'in progress' : undefined,
  )
  useEffect(() => {
    if (!isIssuerRedirect()) return
    const complete = async (): Promise<void> => {
      if (await forwardResponse()) setRedirect('forwarded')
      else signIn(await finishSignIn())
    }
    complete().catch((reason: unknown) => {
      onError(explain(reason))
      setRedirect(undefined)
    })
  }, [])
  return redirect
}

type SignInOptionsProps = {
  /** Undefined while the settings load, or if the deployment accepts only API keys. */
  issuer: SignInSettings | undefined
  isReauthentication: boolean
  onError: (text: string) => void
}

function SignInOptions({ issuer, isReauthentication, onError }: SignInOptionsProps) {
  return (
    <>
      {issuer !== undefined && (
        <>
          {isReauthentication ? (
            <SignInTabLink issuer={issuer} onError={onError} />
          ) : (
            <Button
              fullWidth
              onClick={() => void beginSignIn(issuer).catch((reason: unknown) => onError(explain(reason)))}
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

/** Link that opens a sign-in in another tab. After the sign-in, this tab uses the credential. */
function SignInTabLink({ issuer, onError }: { issuer: SignInSettings; onError: (text: string) => void }) {
  const [tab, setTab] = useState<TabSignIn>()
  useEffect(() => {
    let isUnmounted = false
    let newTab: TabSignIn | undefined
    const start = async (): Promise<void> => {
      newTab = await beginSignInTab(issuer)
      if (isUnmounted) newTab.cancel()
      else setTab(newTab)
      signIn(await newTab.credential)
    }
    start().catch((reason: unknown) => onError(explain(reason)))
    return () => {
      isUnmounted = true
      newTab?.cancel()
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
