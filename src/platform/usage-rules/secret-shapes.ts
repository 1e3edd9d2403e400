/** Texts that have the form of a secret, whoever issued it. */
const SECRET_SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----.{0,8000}?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/gsu,
  /\b(?:agk|amhk|amhm)_[\w-]{20,80}/gu,
  /\b(?:sk|rk|pk|whsec|ghp|gho|ghs|ghu|glpat|xox[abprs]|npm|hf)[-_][\w-]{10,255}/gu,
  /\bgithub_pat_\w{20,255}/gu,
  /\bAKIA[0-9A-Z]{16}\b/gu,
  /\beyJ[\w-]{8,2000}\.[\w-]{8,2000}(?:\.[\w-]{0,2000})?/gu,
  /\b0x[0-9a-f]{64}\b/giu,
  /(?<=\bBearer )[\w.~+/=-]{8,500}/giu,
  /(?<=\b(?:password|passwd|passphrase|secret|api[ _-]?key|token|wachtwoord|passwort|kennwort)\s?(?:is\s|[:=])\s?)[^\s"',;]{4,200}/giu,
  /(?<=\bhttps?:\/\/)[^\s/@:]{1,200}:[^\s/@]{1,200}(?=@)/giu,
  /(?<![\w-])(?=[\w-]{0,60}\d)(?=[\w-]{0,60}[A-Z])(?=[\w-]{0,60}[a-z])[A-Za-z0-9_-]{43,500}(?![\w-])/gu,
];

/** The text with everything that looks like a secret taken out. */
export function withoutSecrets(text: string): string {
  return SECRET_SHAPES.reduce((rest, shape) => rest.replace(shape, '[redacted]'), text);
}
