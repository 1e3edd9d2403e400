/** What plays the services of others in the sandbox. */
export interface StandIns {
  /** Registers, venues, suppliers, sources of data and the card processor, each under a path of its own. */
  readonly url: string;
  /** Undefined where somebody else plays the registers, who takes no cards. */
  readonly cards?: CardStandIn;
  /** Undefined where the settings name providers of models. */
  readonly models?: ModelProviderStandIn;
  /** A page of a fictional site; undefined for every address that is not its own. */
  readonly page: (url: string) => StandInPage | undefined;
  /** A catalogue of components as CSV. */
  readonly catalogue: () => string;
}

export interface CardStandIn {
  connect(to: {
    readonly baseUrl: string;
    readonly webhook: { readonly url: string; readonly secret: string; readonly patience: number };
    readonly file: string;
  }): void;
}

export interface ModelProviderStandIn {
  readonly url: string;
  /** Its one model, and what that costs. */
  readonly price: {
    readonly provider: string;
    readonly model: string;
    readonly input_usd_per_mtok: string;
    readonly cached_read: string;
    readonly output: string;
  };
  /** How long its answers are waited for, looked up for every question; undefined is as long as usual. */
  readonly timeoutMs: () => number | undefined;
}

/** Registers that somebody else plays and ends. */
export interface GivenRegisters {
  readonly url: string;
  readonly cards?: CardStandIn;
}

/** A provider of models that somebody else plays, and how long its answers are waited for: looked up for every question. */
export interface GivenModels {
  readonly standIn: { readonly url: string };
  readonly timeoutMs?: number;
}

interface StandInPage {
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
}
