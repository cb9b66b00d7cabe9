import { describeSandbox, selectDrivers, isProof, localDrivers } from './contract.ts'
import { cloudDrivers } from '../vendors/drivers.ts'

for (const driver of await selectDrivers()) describeSandbox(driver)
if (isProof) for (const driver of cloudDrivers(await localDrivers())) describeSandbox(driver)
