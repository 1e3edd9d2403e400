/** What plays the services of others in the sandbox. */
export interface Simulators {
  /** Registers, venues, suppliers, sources of data and the card processor, each under a path of its own. */
  readonly url: string;
  /** Undefined where somebody else plays the registers, who takes no cards. */
  readonly cards?: CardSimulator;
  /** Undefined where the settings name providers of models. */
  readonly models?: ModelProviderSimulator;
  /** A page of a fictional site; undefined for every address that is not its own. */
  readonly page: (url: string) => SimulatorPage | undefined;
  /** A catalogue of components as CSV. */
  readonly catalogue: () => string;
}

interface CardSimulator {
  connect(to: {
    readonly baseUrl: string;
    readonly webhook: { readonly url: string; readonly secret: string; readonly patience: number };
    readonly file: string;
  }): void;
}

export interface ModelProviderSimulator {
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
  readonly cards?: CardSimulator;
}

/** A provider of models that somebody else plays, and how long its answers are waited for: looked up for every question. */
export interface GivenModels {
  readonly simulator: { readonly url: string };
  readonly timeoutMs?: number;
}

interface SimulatorPage {
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
}
