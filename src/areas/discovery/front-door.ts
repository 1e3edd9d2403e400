import { Refusal } from '#kernel/problem.ts';
import { RULES_VERSION } from '#platform/usage-rules/version.ts';
import { type About, offersPath } from './about.ts';
import { coordination } from './coordination.ts';
import { economy, type LiveFigures } from './economy.ts';
import { entry, fullEntry } from './entry.ts';
import { llms, llmsFull, type TextPart } from './llms.ts';
import { aiCatalog, aiPlugin, serverCard } from './machine-documents.ts';
import * as manifests from './manifest-operations.ts';
import { onboarding } from './onboarding.ts';
import { pillars } from './pillars.ts';
import { unknownFile, unknownRulesVersion } from './problems.ts';
import { RULES_VERSIONS, usageRules } from './usage-rules.ts';

export interface FrontDoorOptions {
  readonly about: () => About;
  /** Changes when something that documents are made from does. */
  readonly stamp: () => string;
  readonly live: () => LiveFigures | null;
  /** The manifest of capabilities, without its figures. */
  readonly capabilities: () => Promise<object>;
  /** Documentation for callers. */
  readonly pages: () => readonly TextPart[];
  /** The text of a file that verifies offline. */
  readonly file: (name: string) => string | undefined;
}

const CAPABILITIES = '/capabilities/manifest';

type Documents = ReturnType<typeof rendered>;

/** The public documents: made once, and again only when keys or address change. */
export class FrontDoor {
  readonly #options: FrontDoorOptions;
  #stamp = '';
  #documents: Documents | undefined;
  #fullText: Promise<string> | undefined;

  constructor(options: FrontDoorOptions) {
    this.#options = options;
  }

  /** The usage rules in a version; a refusal names those that are kept. */
  rules(version: string = RULES_VERSION) {
    return (
      this.made().rules.get(version) ??
      new Refusal(unknownRulesVersion, {
        detail: 'The usage rules have no such version. Leave version out to get the current rules.',
        members: { versions: RULES_VERSIONS },
      })
    );
  }

  /** What the service costs, with the figures of now. */
  economy() {
    return { ...this.made().economy, live: this.#options.live() };
  }

  file(name: string): string | Refusal {
    return (
      this.#options.file(name) ??
      new Refusal(unknownFile, { detail: 'There is no file with this name. See /agent-discovery/onboarding.' })
    );
  }

  made(): Documents {
    const { about, stamp } = this.#options;
    const now = stamp();
    if (this.#documents === undefined || now !== this.#stamp) {
      this.#documents = rendered(about());
      this.#fullText = undefined;
      this.#stamp = now;
    }
    return this.#documents;
  }

  full(): Promise<string> {
    const made = this.made();
    this.#fullText ??= this.#options
      .capabilities()
      .then((capabilities) => llmsFull(made.about, [...partsOf({ ...made, capabilities }), ...this.#options.pages()]));
    return this.#fullText;
  }
}

function rendered(about: About) {
  return {
    about,
    entry: entry(about),
    fullEntry: fullEntry(about),
    onboarding: onboarding(about),
    coordination: coordination(about),
    economy: economy(about),
    pillars: pillars(about),
    rules: new Map(RULES_VERSIONS.map((version) => [version, usageRules(about, version)] as const)),
    llms: llms(about),
    plugin: aiPlugin(about),
    card: serverCard(about),
    catalog: aiCatalog(about),
  };
}

/** The manifests in the order of the full text. */
function partsOf(made: Documents & { readonly capabilities: object }): TextPart[] {
  const ofRow = ({ summary, path }: { summary: string; path: string }, document: object) => ({
    title: summary,
    path,
    document,
  });
  return [
    ofRow(manifests.fullEntryManifest, made.fullEntry),
    ofRow(manifests.onboardingManifest, made.onboarding),
    ...(offersPath(made.about, CAPABILITIES)
      ? [{ title: 'Capabilities', path: CAPABILITIES, document: made.capabilities }]
      : []),
    ofRow(manifests.coordinationManifest, made.coordination),
    ofRow(manifests.economyManifest, made.economy),
    ofRow(manifests.strategyPillars, made.pillars),
    ofRow(manifests.rulesOfEngagement, usageRules(made.about)),
  ];
}
