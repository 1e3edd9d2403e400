import type { z } from 'zod';
import type { Deprecation } from './deprecation.ts';
import type { CallIdentity } from './identity.ts';
import type { FieldError, ProblemType, Refusal } from './problem.ts';
import type { FindRowTool } from './row-tool.ts';

export const RATE_CLASSES = [
  'crossing-read',
  'crossing-write',
  'tasks',
  'paid',
  'attest-seal',
  'mcp',
  'login',
  'attest-read',
  'wallet',
] as const;
export type RateClass = (typeof RATE_CLASSES)[number];

/** What an installation offers: everything, or what costs its callers and its operator nothing. */
export const SERVICES = ['all', 'free'] as const;
export type Services = (typeof SERVICES)[number];

export type InputSchema = z.ZodObject<Readonly<Record<string, z.ZodType>>>;

/** What a handler learns of its call beside the decoded input. */
export interface Call {
  readonly requestId: string;
  /** Daily-keyed tag of the caller's address; the address itself goes no further than transport. */
  readonly addressTag: string;
  /** The one of the row's media types that the caller asked for. */
  readonly mediaType: string;
  /** Names the caller's address over thirty days, where transport can: the tag and the period of its key. */
  readonly freeTries?: () => { readonly tag: string; readonly period: string };
  /** True for a load that its user did not ask for (HEAD, prefetch, cross-site): it must leave nothing behind. */
  readonly isPrefetch?: boolean;
  /** A header of the request; absent where the call came another way than by HTTP. */
  readonly header?: (
    name: 'cookie' | 'origin' | 'sec-fetch-site' | 'user-agent' | 'x-csrf-token',
  ) => string | undefined;
  /** True where the caller is to be answered with a page. */
  readonly wantsPage?: boolean;
  /** Fields of the row's `pageFields` that the address of a page or one of its forms had; absent for JSON. */
  readonly pageInput?: Readonly<Record<string, string>>;
  /** Who signed it; absent where nobody did. */
  readonly identity?: CallIdentity;
  /** On a row with `judgesRate`, of a call that comes too soon: its refusal, which the handler returns or lets be. */
  readonly tooSoon?: Refusal;
}

/** What every page says of the installation that shows it. */
export interface Site {
  readonly service: string;
  /** Whether the installation has a page at this path; every page where it is left out. */
  readonly hasPage?: (path: string) => boolean;
  /** The MCP tool that makes the call of an operation; none where it is left out. */
  readonly rowTool?: FindRowTool;
  readonly baseUrl: () => string;
  readonly sandbox: boolean;
  /** The clock of the service: pages say how long ago something was. */
  readonly nowMs: () => number;
}

/** True where a link to this path leads to a page. */
export function hasPage(site: Pick<Site, 'hasPage'>, path: string): boolean {
  return site.hasPage?.(path) ?? true;
}

/** How long an answer may be kept by others; an immutable one is never asked for again. */
export type CacheRule = 'no-store' | { readonly maxAgeSeconds: number; readonly immutable?: true };

/** An answer with another status than 200, with another cache rule than its row's, or given before. */
export class Answer<O> {
  readonly status: number;
  readonly body: O;
  readonly cache: CacheRule | undefined;
  /** True where the same call was answered before, which a header then says. */
  readonly replayed: boolean;
  /** Path of what the call made. */
  readonly location: string | undefined;

  constructor(status: number, body: O, cache?: CacheRule, replayed = false, location?: string) {
    this.status = status;
    this.body = body;
    this.cache = cache;
    this.replayed = replayed;
    this.location = location;
  }
}

/**
 * An answer in pieces, each made when the caller has taken those before it. The signal is aborted when the caller has
 * left, and for streams without end also when the service stops: the pieces then end.
 */
export class StreamResponse {
  readonly open: (signal: AbortSignal) => AsyncIterable<string | Uint8Array>;

  constructor(open: (signal: AbortSignal) => AsyncIterable<string | Uint8Array>) {
    this.open = open;
  }
}

/** The answer as text of a media type that the row lists, or as JSON that is written already. */
export class FileResponse {
  readonly mediaType: string;
  readonly text: string | Uint8Array;
  /** True where the same call was answered before, which a header then says. */
  readonly replayed: boolean;
  readonly cache: CacheRule;

  constructor(mediaType: string, text: string | Uint8Array, replayed = false, cache: CacheRule = 'no-store') {
    this.mediaType = mediaType;
    this.text = text;
    this.replayed = replayed;
    this.cache = cache;
  }
}

/** Sends a browser on to another place of this service. */
export class Redirect {
  readonly location: string;

  constructor(location: string) {
    this.location = location;
  }
}

/** An answer or refusal whose page shows more than its JSON, such as the form that it came from. */
export class WithPage<O> {
  readonly answer: O | Answer<O> | Refusal;
  readonly page: (site: Site) => string;

  constructor(answer: O | Answer<O> | Refusal, page: (site: Site) => string) {
    this.answer = answer;
    this.page = page;
  }
}

type Given<O> = O | Answer<O> | FileResponse | StreamResponse | Redirect | Refusal | WithPage<O>;

/** An answer with headers of its own, such as cookies: names and values in turn. */
export class WithHeaders<O> {
  readonly headers: readonly string[];
  readonly answer: Given<O>;

  constructor(headers: readonly string[], answer: Given<O>) {
    this.headers = headers;
    this.answer = answer;
  }
}

/** An answer that shows the refusal of a call made for the caller, which counts as a refusal of their own. */
export class WithRefusal<O> {
  readonly refusal: Refusal;
  readonly answer: Given<O>;

  constructor(refusal: Refusal, answer: Given<O>) {
    this.refusal = refusal;
    this.answer = answer;
  }
}

type Handled<O> = Given<O> | WithHeaders<O> | WithRefusal<O>;
export type Handler<I, O> = (input: I, call: Call) => Promise<Handled<O>> | Handled<O>;

/** What a body that must keep its own digits and names was read as. */
export type ReadBody =
  | { readonly ok: true; readonly value: unknown; readonly faults: readonly FieldError[] }
  | { readonly ok: false };

interface Example<I, O> {
  readonly name: string;
  readonly input: I;
  readonly output: O;
}

/** Examples of a row as a service answered them: `npm run examples` records them anew. */
export function recorded(examples: readonly Example<unknown, unknown>[]): readonly Example<any, any>[] {
  return examples as readonly Example<any, any>[];
}

/** What a call costs: the decimal text that people read and the same in millionths of a USDC. */
export interface Price {
  readonly usdc: string;
  readonly atomic: string;
  /** How long a signed payment lives, where the work takes longer than most. */
  readonly maxTimeoutSeconds?: number;
}

const DEFAULT_TIMEOUT_SECONDS = 120;

/** How long a signed payment of this price lives. */
export function timeoutSecondsOf({ maxTimeoutSeconds = DEFAULT_TIMEOUT_SECONDS }: Price): number {
  return maxTimeoutSeconds;
}

interface WalletPrice {
  readonly eur: string;
  readonly rule?: string;
}

/**
 * Who may call. `agent` and `platform` need the key of one, which is judged by its header before anything else of the call
 * is read; `agent_if_sent` judges a key likewise where one is sent. The others can also be called without: by anybody, by who
 * holds the receipt of a task, by a principal that signs, by a browser without a session.
 */
type Access =
  | 'none'
  | 'agent'
  | 'platform'
  | 'agent_if_sent'
  | 'agent_or_none'
  | 'task_owner'
  | 'principal'
  | 'session';

export interface Operation<I extends InputSchema = InputSchema, O extends z.ZodType = z.ZodType> {
  readonly operationId: string;
  readonly tag: string;
  readonly method: 'get' | 'post';
  /** A GET that is also offered as POST with the same members in a JSON body. */
  readonly alsoPost?: true;
  /** Fields of the input in braces come from the path. */
  readonly path: string;
  /** The first segment of the path of its pages, where its JSON has another one: a browser is sent there. */
  readonly pagesUnder?: string;
  readonly summary: string;
  readonly description: string;
  readonly input: I;
  /** Request headers that may carry an input field instead of query or body. */
  readonly headerFields?: Readonly<Record<string, string>>;
  /** Fields that only a request header carries. */
  readonly headerOnly?: Readonly<Record<string, string>>;
  readonly output: O;
  /** The status of a success where it is not 200. */
  readonly successStatus?: 201 | 202;
  /** The status of a success that had been given before. */
  readonly repeatStatus?: 200;
  /** The media type of the answer where it is not JSON: the handler then gives its text or bytes as they are. */
  readonly mediaType?: string;
  /** The name of the JSON of the answer where it has one of its own. */
  readonly jsonMediaType?: string;
  /** Media types, chosen by Accept, that the handler answers as a stream. A stream without end is one of events. */
  readonly streams?: Readonly<Record<string, 'ends' | 'endless'>>;
  /** What a call without effects needs: the store may be out of reach, and what is stored of the log unsound. */
  readonly reads?: 'nothing' | 'store' | 'log';
  /** Media types in which the handler may answer instead, by a FileResponse. */
  readonly otherMediaTypes?: readonly string[];
  /** Refuses a caller that accepts CBOR in RFC 9290's form. */
  readonly cborProblems?: true;
  /** Media types under which the same text goes out where Accept prefers one of them. */
  readonly extraMediaTypes?: readonly string[];
  /** A document about the service: its answers name the others and say how their text may be used. */
  readonly isDocument?: true;
  /** Reads the body where JSON.parse would lose what must not be lost. */
  readonly readBody?: (bytes: Uint8Array) => ReadBody;
  /** A POST that the form of a page without script may send too; one from another site is refused. */
  readonly takesForm?: true;
  /** Its handler compares the Origin of a call itself, and says so in a refusal of its own. */
  readonly checksOrigin?: true;
  /** What only pages and their forms say, such as that a question was answered; JSON does not have these fields. */
  readonly pageFields?: readonly string[];
  /** Where a page is asked for, a browser may be sent on with 303 instead. */
  readonly redirectsAfterPost?: true;
  /** A body in another form than JSON; the other members then come from the query. */
  readonly otherBody?: {
    readonly mediaType: string;
    readonly read: (bytes: Uint8Array, query: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  };
  /** A field that no caller names: the bytes of a body that the handler reads itself. */
  readonly bytesField?: string;
  /** Writes the JSON of an answer where JSON.stringify takes too long. */
  readonly writeJson?: (output: z.output<O>) => string;
  /** The last path field takes the rest of the path, slashes included. */
  readonly wildcardPath?: true;
  /** True when a call changes state: a HEAD, a prefetch or a cross-site load then never runs the handler. */
  readonly effects: boolean;
  /**
   * A change that a suspended caller may still make: it lets go of something, keeps what it has, or is not the caller's own.
   * A function says it of a call by its input.
   */
  readonly whileSuspended?: 'allowed' | ((input: z.output<I>) => boolean);
  /** Pages of other sites may not read its answers. */
  readonly ownPagesOnly?: true;
  /** True for a row that production does not have. */
  readonly sandboxOnly?: true;
  /** Not offered by an installation of free services. What has a price never is. */
  readonly services?: 'all';
  /** Its place among what can be tried on the playground. */
  readonly tryable?: number;
  readonly access: Access;
  readonly price: Price | null;
  /** What a wallet pays for a call; where it depends on the work, `eur` is the least and `rule` says what else. */
  readonly walletPrice?: WalletPrice;
  readonly deprecated?: Deprecation;
  readonly rate: RateClass | 'none';
  /** A call that comes too soon still reaches the handler if its key is good: some of them must not wait. */
  readonly judgesRate?: true;
  /** As how many calls one counts, by its input; one where it is left out. */
  readonly countsAs?: (input: z.output<I>) => number;
  readonly bodyLimitBytes?: number;
  readonly cache: CacheRule;
  /** Refusals of its own; those that follow from the other fields are added by the table. */
  readonly problems: readonly ProblemType[];
  readonly examples: readonly Example<z.input<I>, z.output<O>>[];
  /** A page that shows people more than the answer alone; the values are those of the address. */
  readonly betterPage?: (values: Readonly<Record<string, string>>) => { readonly href: string; readonly label: string };
  /** A file for programs: a browser gets it as it is. */
  readonly isRawFile?: true;
  /** The same answer for people (HTML) and for reading agents (Markdown), chosen by Accept, `?format=` or `.md`. */
  readonly pages?: {
    readonly html: (output: z.output<O>, site: Site) => string;
    readonly markdown: (output: z.output<O>) => string;
  };
  /** The page of a refused call where it is not the general one: a form as it was sent, with what to fix. */
  readonly refusalPage?: (refusal: Refusal, sent: SentInput, site: Site) => string | undefined;
}

/** What a caller sent, before it was checked. */
export type SentInput = Readonly<Record<string, unknown>>;

/** The row as it stands; its type keeps the id, by which the types of a table can be found again. */
export function defineOperation<I extends InputSchema, O extends z.ZodType, const Id extends string>(
  row: Operation<I, O> & { readonly operationId: Id },
): Operation<I, O> & { readonly operationId: Id } {
  return row;
}

/** True where a browser gets the JSON of the answer on a page that is made for any row. */
export function hasAnswerPage({ method, access, price, mediaType, pages, isRawFile }: Operation): boolean {
  const isOpen = method === 'get' && access === 'none' && price === null;
  return isOpen && mediaType === undefined && pages === undefined && isRawFile !== true;
}

/** Every media type of a success, the one that needs no asking first. */
export function mediaTypesOf({ mediaType, jsonMediaType, extraMediaTypes = [], streams = {} }: Operation): string[] {
  return [...new Set([mediaType ?? jsonMediaType ?? 'application/json', ...extraMediaTypes, ...Object.keys(streams)])];
}

/** Where people find it. */
export function pagePathOf({ path, pagesUnder }: Pick<Operation, 'path' | 'pagesUnder'>): string {
  return pagesUnder === undefined ? path : path.replace(/^\/[^/]+/, pagesUnder);
}

export function pathFields(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
}

/** True for a row of an installation of free services, if its area is one too. */
export function isFreeService({ services, price }: Pick<Operation, 'services' | 'price'>): boolean {
  return services !== 'all' && price === null;
}

/** Production does not know the rows of the sandbox. */
export function offeredIn(operations: readonly Operation[], sandbox: boolean): Operation[] {
  return operations.filter(({ sandboxOnly }) => sandbox || sandboxOnly !== true);
}
