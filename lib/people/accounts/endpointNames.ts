/** Addresses below /api/auth that answer (POST, JSON); the library's others do not. They are open to who is not signed in. */
export const AUTH_ENDPOINTS = ["sign-in/username", "sign-out", "change-password", "invitation"] as const;
