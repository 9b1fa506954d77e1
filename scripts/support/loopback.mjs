const LOOPBACK = ["127.0.0.1", "localhost", "::1"];

/** @param {string} host */
export const isLoopback = (host) => LOOPBACK.includes(host);
