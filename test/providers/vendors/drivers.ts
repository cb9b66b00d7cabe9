import { createE2bSandboxes } from '../../../providers/sandbox/cloud/e2b.ts'
import { createVercelSandboxes } from '../../../providers/sandbox/cloud/vercel.ts'
import type { SandboxPort } from '../../../providers/sandbox/index.ts'
import type { Driver } from '../sandbox-contract.ts'
import { e2bKey, playE2b } from './e2b.ts'
import type { Vendor } from './http.ts'
import { playVercel, vercelToken } from './vercel.ts'

export type CloudDriver = Driver & { vendor: () => Vendor }

const cloud = (
  name: string,
  bubblewrap: Driver | undefined,
  play: (root: string) => Promise<Vendor>,
  connect: (url: string) => SandboxPort,
): CloudDriver => {
  const vendors: Vendor[] = []
  return {
    name,
    available: bubblewrap?.available === true,
    reason: bubblewrap?.reason ?? '',
    vendor: () => {
      const vendor = vendors.at(-1)
      if (vendor === undefined) throw new Error('the vendor does not play yet')
      return vendor
    },
    open: async (root) => {
      const vendor = await play(root)
      vendors.push(vendor)
      return connect(vendor.url)
    },
    close: async () => {
      for (const vendor of vendors.splice(0)) await vendor.close()
    },
  }
}

const network = { reach: 'platform', baseUrl: 'https://platform.example/v1' } as const

/** The cloud drivers, speaking through the vendors' own libraries to servers that play them. */
export const cloudDrivers = (locals: Driver[]): CloudDriver[] => {
  const bubblewrap = locals.find(({ name }) => name === 'bubblewrap')
  return [
    cloud('vercel', bubblewrap, playVercel, (baseUrl) =>
      createVercelSandboxes({ token: vercelToken, teamId: 'team_1', projectId: 'prj_1', baseUrl, network }),
    ),
    cloud('e2b', bubblewrap, playE2b, (url) =>
      createE2bSandboxes({
        apiKey: e2bKey,
        domain: 'e2b.invalid',
        template: 'base',
        apiUrl: url,
        sandboxUrl: url,
        lifetimeMs: 1_800_000,
        network,
      }),
    ),
  ]
}
