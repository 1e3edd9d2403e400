/** What asks over TLS, loaded for the first call that does: it takes 4 MiB, and a service may run without it. */
export const nodeHttps = () => process.getBuiltinModule('node:https');
export const nodeTls = () => process.getBuiltinModule('node:tls');
