import type {
  NewProviderEvent,
  ProviderCard,
  ProviderCustomer,
  ProviderEvent,
  ProviderPayment,
  ProviderSession,
  ProviderSubscription,
} from '../../../domain/payments/provider.ts'

/** Rows of the provider. An insert with a boolean result writes nothing and returns false if the key exists. */
export type ProviderRows = {
  findCustomer(id: string): Promise<ProviderCustomer | undefined>
  findCustomerByAccount(accountId: string): Promise<ProviderCustomer | undefined>
  insertCustomer(customer: ProviderCustomer): Promise<boolean>
  updateCustomer(customer: ProviderCustomer): Promise<void>
  /** Lists the attached cards, newest first. */
  listCards(customerId: string): Promise<ProviderCard[]>
  insertCard(card: ProviderCard): Promise<void>
  detachCard(customerId: string, cardId: string): Promise<void>
  detachCards(customerId: string): Promise<void>
  findSession(id: string): Promise<ProviderSession | undefined>
  findSessionByKey(idempotencyKey: string): Promise<ProviderSession | undefined>
  /** Locks the session until the transaction ends. */
  lockSession(id: string): Promise<ProviderSession | undefined>
  insertSession(session: ProviderSession): Promise<boolean>
  updateSession(session: ProviderSession): Promise<void>
  findPayment(id: string): Promise<ProviderPayment | undefined>
  findPaymentByKey(idempotencyKey: string): Promise<ProviderPayment | undefined>
  /** Finds the successful payment of an intent; if there is none, its latest payment. */
  findPaymentByIntent(intentId: string): Promise<ProviderPayment | undefined>
  insertPayment(payment: ProviderPayment): Promise<boolean>
  updatePayment(payment: ProviderPayment): Promise<void>
  findSubscription(id: string): Promise<ProviderSubscription | undefined>
  lockSubscription(id: string): Promise<ProviderSubscription | undefined>
  /** Lists the subscriptions of a customer, newest first. */
  listSubscriptions(customerId: string): Promise<ProviderSubscription[]>
  listDueSubscriptions(now: Date, limit: number): Promise<string[]>
  insertSubscription(subscription: ProviderSubscription): Promise<void>
  updateSubscription(subscription: ProviderSubscription): Promise<void>
  insertEvent(event: NewProviderEvent): Promise<void>
  /** Lists events, latest first. */
  listEvents(limit: number): Promise<ProviderEvent[]>
  /** Claims due events. Other processes cannot claim them before `until`. */
  claimEvents(now: Date, until: Date, limit: number): Promise<ProviderEvent[]>
  settleEvent(
    id: string,
    outcome: { answer: string; deliveredAt: Date | null; nextAttemptAt: Date | null },
  ): Promise<void>
  /** Schedules another delivery. */
  repeatEvent(id: string, now: Date): Promise<void>
}

/** Storage of the embedded provider. */
export type ProviderStore = ProviderRows & {
  /** Runs `work` in one transaction. */
  begin<T>(work: (rows: ProviderRows) => Promise<T>): Promise<T>
}
