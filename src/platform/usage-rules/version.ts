/** The version of the usage rules in force. */
export const RULES_VERSION = 'v1.2.0-2026-05-12';
/** Holds where no rule is closer: what is not listed as allowed is forbidden until clarified. */
export const DEFAULT_RULE = 'forbidden_until_clarified';
/** What a refusal says that no other rule asks for. */
export const REFUSED_BY_DEFAULT = { rule: DEFAULT_RULE, rules_version: RULES_VERSION };
