import { describeSandbox, driversOfRun, isProof, localDrivers } from './contract.ts'
import { cloudDrivers } from '../vendors/drivers.ts'

for (const driver of await driversOfRun()) describeSandbox(driver)
if (isProof) for (const driver of cloudDrivers(await localDrivers())) describeSandbox(driver)
