// Stands in for "server-only" outside Next (tests, command line, worker).
export {};
