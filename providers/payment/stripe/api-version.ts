/** Version of Stripe's API for requests. The webhook endpoint must be created with the same version. */
export const apiVersion = '2026-10-28.endive'
