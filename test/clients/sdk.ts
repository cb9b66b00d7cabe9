import * as sdk6 from 'ai'
import * as sdk5 from 'ai5'
import * as sdk7 from 'ai7'
import type { Sdk } from './headless.ts'

// The types of the versions differ, but the members used here are the same.
export const sdkVersions: { major: number; sdk: Sdk }[] = [
  { major: 5, sdk: sdk5 as unknown as Sdk },
  { major: 6, sdk: sdk6 },
  { major: 7, sdk: sdk7 as unknown as Sdk },
]
