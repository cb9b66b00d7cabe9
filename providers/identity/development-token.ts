import { deploymentToken, isDeploymentToken } from '../deployment-token.ts'

const purpose = 'identity token'

/** Returns the token of the embedded issuer. Its holder can sign in as any account of this deployment. */
export function developmentToken(serverSecret: string): string {
  return deploymentToken(serverSecret, purpose)
}

export function isDevelopmentToken(serverSecret: string, token: string): boolean {
  return isDeploymentToken(serverSecret, purpose, token)
}
