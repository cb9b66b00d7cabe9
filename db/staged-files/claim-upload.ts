import type { ClaimedUpload, UploadClaim, UploadLimits, UploadRefusal } from '../../domain/staged-files.ts'
import type { Pool, Tx } from '../postgres/client.ts'

type Upload = { pathname: string; partsId: string | null; requests: number; etag: string | null }
type Sums = {
  tokenReceived: number
  tokenReserved: number
  accountBytes: number
  diskReserved: number
  freedIn: number
}

const lockKey = 7_202_117_303
/** Maximum requests per token and per part. The upload library sends at most eleven. */
const maxRequests = 20
/** Minimum bytes of a file in the daily quota, because each file occupies disk space. */
const minChargedBytes = 64 * 1024
/** Lifetime of a reservation, which exceeds the duration of any request. */
const reservationSeconds = 3600

type Piece = { part: number; isHeld: boolean; requests: number }

/** Claims an upload or one of its parts. Claims are serialized, so that each includes the reservations of earlier claims. */
export function claimUpload(
  db: Pool,
  claim: UploadClaim,
  { holder, limits }: { holder: number; limits: UploadLimits },
): Promise<ClaimedUpload> {
  return db.begin(async (tx): Promise<ClaimedUpload> => {
    const { kind, tokenId, accountId } = claim
    const existing = await findUpload(tx, tokenId)
    if (existing !== undefined && kind !== 'part')
      await tx`update uploads set requests = requests + 1 where token_id = ${tokenId}`
    const response = existing && matchUsedToken(existing, claim)
    if (response !== undefined) return response
    await tx`select pg_advisory_xact_lock(${lockKey})`
    const pause = existing === undefined ? await findPause(tx, accountId, limits.perMinute) : undefined
    if (pause !== undefined) return reject('too-often', pause)
    await releaseDeadReservations(tx)
    const rejection = await findRejection(tx, claim)
    if (rejection !== undefined) return reject(rejection)
    const bytes = computeBytes(claim, await readSums(tx, claim), limits)
    if (typeof bytes !== 'number') return bytes
    if (existing === undefined && !(await insertUpload(tx, claim))) return reject('busy')
    const { pathname, partsId } = existing ?? claim
    if (kind === 'begin') return { outcome: 'begun', pathname, partsId: partsId ?? '' }
    return { outcome: 'reserved', attempt: await reserve(tx, claim, bytes, holder), bytes, pathname }
  })
}

async function findUpload(tx: Tx, tokenId: string): Promise<Upload | undefined> {
  const [upload] = await tx<Upload[]>`
    select pathname, parts_id, requests, etag from uploads where token_id = ${tokenId} for update`
  return upload
}

/** Returns the response to a request whose token was used before; undefined when the request may continue. */
function matchUsedToken(upload: Upload, { kind, partsId }: UploadClaim): ClaimedUpload | undefined {
  if ((kind === 'whole') !== (upload.partsId === null)) return reject('used')
  if (kind === 'part' && upload.etag !== null) return reject('used')
  if ((kind === 'part' || kind === 'join') && upload.partsId !== partsId) return reject('unknown')
  if (kind !== 'part' && upload.requests >= maxRequests) return reject('worn-out')
  if (upload.etag === null) return undefined
  return kind === 'begin' ? reject('used') : { outcome: 'stored', pathname: upload.pathname, etag: upload.etag }
}

function reject(reason: UploadRefusal, retryAfterSeconds?: number): ClaimedUpload {
  return {
    outcome: 'refused',
    reason,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
}

/** Returns the seconds until the account may start another upload; undefined when it may start now. */
async function findPause(tx: Tx, accountId: string, perMinute: number): Promise<number | undefined> {
  const [begun] = await tx<{ count: number; seconds: number }[]>`
    select count(*)::int as count,
      greatest(1, ceil(extract(epoch from min(begun_at) + interval '1 minute' - now())))::int as seconds
    from uploads where account_id = ${accountId} and begun_at > now() - interval '1 minute'`
  return begun !== undefined && perMinute > 0 && begun.count >= perMinute ? begun.seconds : undefined
}

/** Releases expired reservations and reservations of dead processes. */
async function releaseDeadReservations(tx: Tx): Promise<void> {
  await tx`
    with dead as materialized (
      select holder from (select distinct holder from upload_pieces where holder is not null) as holders
      where pg_try_advisory_xact_lock(holder)
    )
    update upload_pieces set reserved_bytes = 0, attempt = null, holder = null, expires_at = null
    where attempt is not null and (expires_at <= now() or holder in (select holder from dead))`
}

async function findRejection(tx: Tx, { tokenId, kind, part }: UploadClaim): Promise<UploadRefusal | undefined> {
  const pieces = await tx<Piece[]>`
    select part, attempt is not null as is_held, requests from upload_pieces where token_id = ${tokenId}`
  if (pieces.some((piece) => piece.isHeld && (kind === 'join' || piece.part === part || piece.part === 0)))
    return 'busy'
  const samePart = pieces.find((piece) => piece.part === part)
  return samePart !== undefined && samePart.requests >= maxRequests ? 'worn-out' : undefined
}

/** Returns the number of bytes to reserve, or the rejection of the claim. */
function computeBytes(claim: UploadClaim, sums: Sums, { bytesPerDay }: UploadLimits): number | ClaimedUpload {
  const room = claim.room - sums.diskReserved
  if (claim.kind === 'join') return sums.tokenReceived > room ? reject('no-space') : sums.tokenReceived
  const remainingBytes = claim.maxBytes - sums.tokenReceived - sums.tokenReserved
  const quota = bytesPerDay > 0 ? bytesPerDay - sums.accountBytes : Number.MAX_SAFE_INTEGER
  const bytes = claim.bytes ?? Math.min(remainingBytes, Math.max(quota, minChargedBytes))
  if (bytes > remainingBytes || remainingBytes <= 0)
    return reject(claim.bytes === undefined && sums.tokenReserved > 0 ? 'busy' : 'too-large')
  if (bytesPerDay > 0 && bytes > bytesPerDay) return reject('too-large')
  if (Math.max(bytes, minChargedBytes) > quota) return reject('over-quota', Math.max(1, sums.freedIn))
  return bytes > room || room <= 0 ? reject('no-space') : bytes
}

/**
 * Returns the sums of received and reserved bytes. Joining parts requires only disk space, because their bytes already
 * count toward the quota.
 */
async function readSums(tx: Tx, { tokenId, accountId, part }: UploadClaim): Promise<Sums> {
  const [sums] = await tx<Sums[]>`
    with token as (
      select coalesce(sum(received_bytes) filter (where attempt is null), 0)::bigint as received,
        coalesce(sum(greatest(received_bytes, reserved_bytes)) filter (where attempt is not null), 0)::bigint as reserved
      from upload_pieces where token_id = ${tokenId} and part > 0 and part <> ${part}
    ), day as materialized (
      select token_id, parts_id, etag, begun_at, greatest(stored_bytes, ${minChargedBytes}::bigint) as charged
      from uploads where account_id = ${accountId} and begun_at > now() - interval '1 day'
    ), coming as (
      select sum(greatest(received_bytes, reserved_bytes, ${minChargedBytes}::bigint)) as charged
      from day join upload_pieces as piece using (token_id)
      where day.etag is null and (piece.part > 0 or day.parts_id is null)
        and (piece.received_bytes is not null or piece.attempt is not null)
        and not (piece.token_id = ${tokenId} and piece.part = ${part})
    )
    select token.received as token_received, token.reserved as token_reserved,
      (coalesce((select sum(charged) from day), 0) + coalesce((select charged from coming), 0))::bigint as account_bytes,
      coalesce((select sum(reserved_bytes) from upload_pieces where attempt is not null), 0)::bigint as disk_reserved,
      coalesce((select ceil(extract(epoch from min(begun_at) + interval '1 day' - now())) from day), 1)::int as freed_in
    from token`
  if (sums === undefined) throw new Error('the query for the sums of an upload returned no row')
  return sums
}

/** Records the upload of a token. Returns false if a concurrent request recorded it first. */
async function insertUpload(tx: Tx, { tokenId, accountId, pathname, partsId }: UploadClaim): Promise<boolean> {
  const inserted = await tx`
    insert into uploads (token_id, account_id, pathname, parts_id)
    values (${tokenId}, ${accountId}, ${pathname}, ${partsId})
    on conflict (token_id) do nothing`
  return inserted.count === 1
}

async function reserve(tx: Tx, { tokenId, part }: UploadClaim, bytes: number, holder: number): Promise<string> {
  const [piece] = await tx<{ attempt: string }[]>`
    insert into upload_pieces as piece (token_id, part, reserved_bytes, attempt, holder, expires_at)
    values (${tokenId}, ${part}, ${bytes}, gen_random_uuid(), ${holder},
      now() + make_interval(secs => ${reservationSeconds}::float8))
    on conflict (token_id, part) do update set reserved_bytes = excluded.reserved_bytes, attempt = excluded.attempt,
      holder = excluded.holder, expires_at = excluded.expires_at, requests = piece.requests + 1
    returning attempt`
  if (piece === undefined) throw new Error('a reservation was not returned')
  return piece.attempt
}
