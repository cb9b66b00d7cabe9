import type { BrokerConnection } from '../../../domain/connectors/connector.ts'
import type { DemoItem, NewDemoItem } from '../../../domain/connectors/demo.ts'

type DemoRows = {
  insertItem(entityId: string, item: NewDemoItem): Promise<DemoItem>
  /** Returns false if the item does not exist. */
  deleteItem(entityId: string, kind: DemoItem['kind'], id: string): Promise<boolean>
}

/** Storage of the embedded broker. */
export type DemoStore = {
  insertConnection(id: string, connection: { entityId: string; toolkit: string; recipient: string }): Promise<void>
  /** `recipient`: name of the account that requested the connection. */
  findConnection(id: string): Promise<(BrokerConnection & { recipient: string | null }) | undefined>
  activateConnection(id: string): Promise<void>
  deleteConnection(id: string): Promise<void>
  listConnections(entityId: string): Promise<BrokerConnection[]>
  listItems(entityId: string, kind: DemoItem['kind']): Promise<DemoItem[]>
  /** Runs `work` once per key. Later calls with the same key return the stored result. */
  once<T>(key: string | undefined, work: (rows: DemoRows) => Promise<T>): Promise<T>
}
