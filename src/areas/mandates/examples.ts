/** What stands in the examples of the handshake. */
export const REF = 'AMH-0123456789ABCDEFGHJKMNPQRS';
export const PLATFORM_ID = 'plt_0123456789abcdefghjkmnpqrs';
export const MANDATE_ID = 'mnd_0123456789abcdefghjkmnpqrs';
export const PAYLOAD = 'sha256:f3d6f0d55b053fdeb0116c2eaffd74e9113b2fd19d7d0675fd8c87a430993b8d';
export const SHA256 = '98ff5edf2dcdd41108f84d08a6a5a3eb2d92eee2ddb4464d68e3a28c31ec8d36';
export const ATTESTATION_ID = 'ATT-E6V5YUMJRAFE3HZG3JGSRTZPZ42GISEAMANQPA7O56S3WAMZQRFA';
export const SHOWN_AT = '2026-11-15T10:00:00.000Z';
