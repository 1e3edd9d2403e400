import { bind, type BoundOperation } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { RULES_VERSION } from '#rules/version.ts';
import type { About } from './about.ts';
import { coordination } from './coordination.ts';
import * as rows from './document-operations.ts';
import { economy, type LiveFigures } from './economy.ts';
import { entry } from './entry.ts';
import { llms, llmsFull, type Part } from './llms.ts';
import { aiCatalog, aiPlugin, LOGO, ROBOTS, serverCard } from './machine-documents.ts';
import * as manifests from './manifest-operations.ts';
import { onboarding } from './onboarding.ts';
import { pillars } from './pillars.ts';
import { unknownFile, unknownRulesVersion } from './problems.ts';
import { usageRules } from './usage-rules.ts';

export interface FrontDoorOptions {
  readonly about: () => About;
  /** Changes when something that documents are made from does. */
  readonly stamp: () => string;
  readonly live: () => LiveFigures | null;
  /** Documentation for callers. */
  readonly pages: () => readonly Part[];
  /** The text of a file that verifies offline. */
  readonly file: (name: string) => string | undefined;
}

type Documents = ReturnType<typeof rendered>;

/** The public documents: made once, and again only when keys or address change. */
export class FrontDoor {
  readonly #options: FrontDoorOptions;
  #stamp = '';
  #documents: Documents | undefined;

  constructor(options: FrontDoorOptions) {
    this.#options = options;
  }

  bound(): BoundOperation[] {
    const { live, file } = this.#options;
    return [
      bind(manifests.entryManifest, () => this.#made().entry),
      bind(manifests.onboardingManifest, () => this.#made().onboarding),
      bind(manifests.coordinationManifest, () => this.#made().coordination),
      bind(manifests.economyManifest, () => ({ ...this.#made().economy, live: live() })),
      bind(manifests.strategyPillars, () => this.#made().pillars),
      bind(manifests.rulesOfEngagement, ({ version = RULES_VERSION }) =>
        version === RULES_VERSION
          ? this.#made().rules
          : new Refusal(unknownRulesVersion, { detail: 'the rules are not kept in this version' }),
      ),
      bind(rows.llmsText, () => this.#made().llms),
      bind(rows.llmsFullText, () => this.#made().llmsFull),
      bind(rows.plugin, () => this.#made().plugin),
      bind(rows.catalog, () => this.#made().catalog),
      bind(rows.mcpServerCard, () => this.#made().card),
      bind(rows.wellKnownServerCard, () => this.#made().card),
      bind(rows.robots, () => ROBOTS),
      bind(rows.logo, () => LOGO),
      bind(rows.verifyFile, ({ file: name }) => {
        return file(name) ?? new Refusal(unknownFile, { detail: 'no file of this name is given out' });
      }),
    ];
  }

  entry(): Documents['entry'] {
    return this.#made().entry;
  }

  #made(): Documents {
    const { about, stamp, pages } = this.#options;
    const now = stamp();
    if (this.#documents === undefined || now !== this.#stamp) {
      this.#documents = rendered(about(), pages());
      this.#stamp = now;
    }
    return this.#documents;
  }
}

function rendered(about: About, pages: readonly Part[]) {
  const made = {
    entry: entry(about),
    onboarding: onboarding(about),
    coordination: coordination(about),
    economy: economy(about),
    pillars: pillars(about),
    rules: usageRules(about),
  };
  const parts: readonly Part[] = [
    { title: manifests.entryManifest.summary, path: '/entry', document: made.entry },
    { title: manifests.onboardingManifest.summary, path: '/agent-discovery/onboarding', document: made.onboarding },
    { title: manifests.coordinationManifest.summary, path: '/coordination/manifest', document: made.coordination },
    { title: manifests.economyManifest.summary, path: '/economy/manifest', document: made.economy },
    { title: manifests.strategyPillars.summary, path: '/api/strategy/pillars', document: made.pillars },
    { title: manifests.rulesOfEngagement.summary, path: '/api/rules-of-engagement', document: made.rules },
    ...pages,
  ];
  return {
    ...made,
    llms: llms(about),
    llmsFull: llmsFull(about, parts),
    plugin: aiPlugin(about),
    card: serverCard(about),
    catalog: aiCatalog(about),
  };
}
