import { developmentToken } from '../../providers/identity/development-token.ts'
import type { World } from './world.ts'

/** Returns the body of a token request that the embedded issuer accepts for this address. */
export const tokenRequest = ({ config }: Pick<World, 'config'>, email: string) => ({
  email,
  development_token: developmentToken(config.SERVER_SECRET ?? ''),
})

/** Requests a bearer token from the embedded issuer. */
export const issueBearer = async (world: World, email: string): Promise<string> => {
  const body = tokenRequest(world, email)
  return (await world.request<{ access_token: string }>('POST', '/identity/token', { body })).body.access_token
}
