import type {
  NewProviderEvent,
  ProviderCard,
  ProviderCustomer,
  ProviderEvent,
  ProviderPayment,
  ProviderSession,
  ProviderSubscription,
} from '../../../domain/payments/provider.ts'

/** Reads and writes of the provider's rows. An `insert…` that answers false found its key taken and wrote nothing. */
export type ProviderRows = {
  findCustomer(id: string): Promise<ProviderCustomer | undefined>
  findCustomerByAccount(accountId: string): Promise<ProviderCustomer | undefined>
  insertCustomer(customer: ProviderCustomer): Promise<boolean>
  updateCustomer(customer: ProviderCustomer): Promise<void>
  /** Attached ones, newest first. */
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
  /** One that succeeded before others, else the latest. */
  findPaymentByIntent(intentId: string): Promise<ProviderPayment | undefined>
  insertPayment(payment: ProviderPayment): Promise<boolean>
  updatePayment(payment: ProviderPayment): Promise<void>
  findSubscription(id: string): Promise<ProviderSubscription | undefined>
  lockSubscription(id: string): Promise<ProviderSubscription | undefined>
  /** Newest first. */
  listSubscriptions(customerId: string): Promise<ProviderSubscription[]>
  listDueSubscriptions(now: Date, limit: number): Promise<string[]>
  insertSubscription(subscription: ProviderSubscription): Promise<void>
  updateSubscription(subscription: ProviderSubscription): Promise<void>
  insertEvent(event: NewProviderEvent): Promise<void>
  /** Latest first. */
  listEvents(limit: number): Promise<ProviderEvent[]>
  /** Claims due events until `until`. */
  claimEvents(now: Date, until: Date, limit: number): Promise<ProviderEvent[]>
  settleEvent(
    id: string,
    outcome: { answer: string; deliveredAt: Date | null; nextAttemptAt: Date | null },
  ): Promise<void>
  /** Schedules another delivery. */
  repeatEvent(id: string, now: Date): Promise<void>
}

/** Where the embedded provider keeps its state. */
export type ProviderStore = ProviderRows & {
  /** All of it or nothing. */
  begin<T>(work: (rows: ProviderRows) => Promise<T>): Promise<T>
}
