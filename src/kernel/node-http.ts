/**
 * What is used of `node:http`. Its form as an ES module reads every export, and with the one named WebSocket all of fetch
 * is loaded: 50 ms of a start.
 */
export const { Agent, createServer, METHODS, request, STATUS_CODES } = process.getBuiltinModule('node:http');
