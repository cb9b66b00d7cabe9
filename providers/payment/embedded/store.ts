import type {
  NewPartyEvent,
  PartyCard,
  PartyCustomer,
  PartyEvent,
  PartyPayment,
  PartySession,
  PartySubscription,
} from '../../../domain/payments/provider.ts'

/** Reads and writes of the party's rows. An `insert…` that answers false found its key taken and wrote nothing. */
export type PartyRows = {
  findCustomer(id: string): Promise<PartyCustomer | undefined>
  findCustomerByAccount(accountId: string): Promise<PartyCustomer | undefined>
  insertCustomer(customer: PartyCustomer): Promise<boolean>
  updateCustomer(customer: PartyCustomer): Promise<void>
  /** Attached ones, newest first. */
  listCards(customerId: string): Promise<PartyCard[]>
  insertCard(card: PartyCard): Promise<void>
  detachCard(customerId: string, cardId: string): Promise<void>
  detachCards(customerId: string): Promise<void>
  findSession(id: string): Promise<PartySession | undefined>
  findSessionByKey(idempotencyKey: string): Promise<PartySession | undefined>
  /** Nobody else changes it until the transaction ends. */
  lockSession(id: string): Promise<PartySession | undefined>
  insertSession(session: PartySession): Promise<boolean>
  updateSession(session: PartySession): Promise<void>
  findPayment(id: string): Promise<PartyPayment | undefined>
  findPaymentByKey(idempotencyKey: string): Promise<PartyPayment | undefined>
  /** One that succeeded before others, else the latest. */
  findPaymentByIntent(intentId: string): Promise<PartyPayment | undefined>
  insertPayment(payment: PartyPayment): Promise<boolean>
  updatePayment(payment: PartyPayment): Promise<void>
  findSubscription(id: string): Promise<PartySubscription | undefined>
  lockSubscription(id: string): Promise<PartySubscription | undefined>
  /** Newest first. */
  listSubscriptions(customerId: string): Promise<PartySubscription[]>
  listDueSubscriptions(now: Date, limit: number): Promise<string[]>
  insertSubscription(subscription: PartySubscription): Promise<void>
  updateSubscription(subscription: PartySubscription): Promise<void>
  insertEvent(event: NewPartyEvent): Promise<void>
  /** Latest first. */
  listEvents(limit: number): Promise<PartyEvent[]>
  /** Takes what is due, so that nobody else does before `until`. */
  claimEvents(now: Date, until: Date, limit: number): Promise<PartyEvent[]>
  settleEvent(
    id: string,
    outcome: { answer: string; deliveredAt: Date | null; nextAttemptAt: Date | null },
  ): Promise<void>
  /** Has it told again. */
  repeatEvent(id: string, now: Date): Promise<void>
}

/** Where the embedded party keeps its state. */
export type PartyStore = PartyRows & {
  /** All of it or nothing. */
  begin<T>(work: (rows: PartyRows) => Promise<T>): Promise<T>
}
