export { KeysPage } from './keys.tsx'
export { OrganizationsPage } from './organizations.tsx'
