import { deploymentToken, isDeploymentToken } from '../deployment-token.ts'

const purpose = 'identity token'

/** Token of the embedded issuer: its holder can sign in as any account of this deployment. */
export function developmentToken(serverSecret: string): string {
  return deploymentToken(serverSecret, purpose)
}

export function opensIssuer(serverSecret: string, token: string): boolean {
  return isDeploymentToken(serverSecret, purpose, token)
}
