export { KeysPage } from './keys.tsx'
export { OrganizationsPage } from './organizations.tsx'
export { AccountPage } from './account.tsx'
