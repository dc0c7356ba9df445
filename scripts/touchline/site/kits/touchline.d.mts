// The types of touchline.mjs of Touchline 1.0.0, for TypeScript: keep both files side
// by side.
//
// SPDX-License-Identifier: 0BSD

/** The values of a query; undefined and null are left out. */
export type Parameters = Record<string, string | number | boolean | null | undefined>

/** A page of a list. */
export interface Page<Item> {
  data: Item[]
  page: number
  limit: number
  total: number
  /** Whether page + 1 has more. */
  hasMore: boolean
  meta?: Record<string, unknown>
}

export type ErrorCode =
  | 'badRequest' | 'unauthorized' | 'forbidden' | 'scopeMissing' | 'proRequired' | 'notFound' | 'methodNotAllowed'
  | 'scopeTooLarge' | 'rateLimited' | 'quotaExceeded' | 'internalError' | 'integrationsUnavailable' | 'serviceUnavailable'

export interface ErrorDetails {
  /** The parameter at fault. */
  field?: string
  /** The bound of page or limit. */
  limit?: number
  /** How many organizations a list may range over. */
  max?: number
  /** The filters of which one would help. */
  requiresOneOf?: string[]
}

/** A refusal. Branch on status and code; quote requestId when you report it. status is 0 where no whole answer came, after every attempt, and 200 where an answer is not the service's. */
export class TouchlineError extends Error {
  readonly status: number
  /** Undefined where the answer is not the service's own, such as a proxy's. */
  readonly code?: ErrorCode
  readonly details?: ErrorDetails
  /** Seconds after which it may be sent again. */
  readonly retryAfter?: number
  readonly requestId?: string
  /** Of the answer, by names in lower case. */
  readonly headers: Record<string, string | string[] | undefined>
}

/** The program has sent as many requests this month as it may. */
export class Spent extends Error {}

export interface Options {
  /** How often a request is sent at most; 4 by default. */
  attempts?: number
  /** The longest wait for another attempt in seconds; 120 by default. */
  longestWait?: number
  /** The seconds that one attempt may take, its whole body included; 30 by default. */
  timeout?: number
  sleep?: (seconds: number) => Promise<unknown>
  /** How many requests the program may send in a calendar month, in UTC; any number by default. */
  aMonth?: number
  /** The file in which they are counted, the program's own; requests.json by default. */
  counted?: string
}

export class Client {
  constructor(baseUrl: string, keyId: string, secret: string, options?: Options)
  /** The body of one GET, decoded. Rejects with a TouchlineError where it is refused. */
  get<Body = { data: unknown }>(path: string, parameters?: Parameters): Promise<Body>
  /** How many of aMonth are left. */
  left(): number
  /** Every item of a list, page after page. */
  pages<Item = Record<string, unknown>>(path: string, parameters?: Parameters): AsyncGenerator<Item, void, undefined>
  /** Of the last answer, by names in lower case, such as x-ratelimit-remaining. */
  headers: Record<string, string | string[] | undefined>
}

/** The query as it is signed: each key and value encoded, the pairs sorted. */
export function canonicalQuery(query: string): string
/** The string that is signed: six fields, a line feed between them. */
export function canonical(method: string, path: string, query: string, timestamp: string, nonce: string): string
/** Lower-case hex of the HMAC-SHA256. */
export function signature(secret: string, text: string): string
