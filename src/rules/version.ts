/** The version of the usage rules in force. */
export const RULES_VERSION = 'v1.2.0-2026-05-12';
