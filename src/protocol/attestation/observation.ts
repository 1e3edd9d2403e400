/** Ids of the registers, used everywhere alike. */
export type RegisterId = 'vies' | 'kvk' | 'cir' | 'rdw' | 'companies_house' | 'dvsa_mot' | 'eu_fsf';

/** One question to one register. A register is asked by the same member names under every schema. */
export interface RegisterQuery {
  readonly source: string;
  readonly query: Readonly<Record<string, string>>;
}

/** `not_found` is the register's own word; whatever is not an answer of the register is `error`. */
type ObservationStatus = 'answered' | 'not_found' | 'error';

/** The part of an observation that verdict functions read. */
export interface Observation {
  readonly source: string;
  readonly status: ObservationStatus;
  /** The normalised answer. */
  readonly result?: unknown;
  /** The register's code, or one of the client's own such as TIMEOUT. */
  readonly code?: string | null;
}

/** All that was observed. It stays off the log and can be erased. */
export interface FullObservation extends Observation, RegisterQuery {
  /** RFC 3339, UTC, with milliseconds. */
  readonly observed_at: string;
}

/** What the log shows of an observation. */
export interface PublishedObservation {
  readonly code: string | null;
  readonly commitment: string;
  readonly observed_at: string;
  readonly source: string;
  readonly status: ObservationStatus;
}
