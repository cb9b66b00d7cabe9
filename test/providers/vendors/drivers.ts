import { createE2bSandboxes } from '../../../providers/sandbox/cloud/e2b.ts'
import { createVercelSandboxes } from '../../../providers/sandbox/cloud/vercel.ts'
import type { SandboxPort } from '../../../providers/sandbox/index.ts'
import type { Driver } from '../sandbox/contract.ts'
import { e2bKey, startE2b } from './e2b.ts'
import type { Vendor } from './http.ts'
import { startVercel, vercelToken } from './vercel/vercel.ts'

export type CloudDriver = Driver & {
  vendor: () => Vendor
  /** Returns the settings of a deployment whose sandboxes run at this vendor. */
  settings: () => Record<string, string>
}

type Kind = {
  name: string
  startVendor: (root: string) => Promise<Vendor>
  connect: (url: string) => SandboxPort
  settings: (url: string) => Record<string, string>
}

const network = { reach: 'platform', baseUrl: 'https://platform.example' } as const

const kinds: Kind[] = [
  {
    name: 'vercel',
    startVendor: startVercel,
    connect: (baseUrl) =>
      createVercelSandboxes({ token: vercelToken, teamId: 'team_1', projectId: 'prj_1', baseUrl, network }),
    settings: (url) => ({
      VERCEL_API_URL: url,
      VERCEL_TOKEN: vercelToken,
      VERCEL_TEAM_ID: 'team_1',
      VERCEL_PROJECT_ID: 'prj_1',
    }),
  },
  {
    name: 'e2b',
    startVendor: startE2b,
    connect: (url) =>
      createE2bSandboxes({
        apiKey: e2bKey,
        domain: 'e2b.invalid',
        template: 'base',
        apiUrl: url,
        sandboxUrl: url,
        lifetimeMs: 1_800_000,
        network,
      }),
    settings: (url) => ({ E2B_API_KEY: e2bKey, E2B_API_URL: url, E2B_SANDBOX_URL: url }),
  },
]

const createCloudDriver = (
  bubblewrap: Driver | undefined,
  { name, startVendor, connect, settings }: Kind,
): CloudDriver => {
  const vendors: Vendor[] = []
  const vendor = (): Vendor => {
    const last = vendors.at(-1)
    if (last === undefined) throw new Error('the fake vendor has not started yet')
    return last
  }
  return {
    name,
    available: bubblewrap?.available === true,
    reason: bubblewrap?.reason ?? '',
    vendor,
    settings: () => ({ SANDBOX_PROVIDER: name, ...settings(vendor().url) }),
    open: async (root) => {
      vendors.push(await startVendor(root))
      return connect(vendor().url)
    },
    close: async () => {
      for (const vendor of vendors.splice(0)) await vendor.close()
    },
  }
}

/** Returns the cloud drivers. They use the client libraries of the vendors with fake servers. */
export const cloudDrivers = (locals: Driver[]): CloudDriver[] => {
  const bubblewrap = locals.find(({ name }) => name === 'bubblewrap')
  return kinds.map((kind) => createCloudDriver(bubblewrap, kind))
}
