import type { NextConfig } from "next";

const nextConfig: NextConfig = {
  // Native or large: they stay packages, and only the worker and the command line load the numeric ones.
  serverExternalPackages: [
    "better-auth",
    "kysely",
    "better-sqlite3",
    "onnxruntime-node",
    "onnx-proto",
    "@jax-js/jax",
    "@jax-js/loaders",
  ],
  poweredByHeader: false,
  reactStrictMode: true,
  agentRules: false,
  devIndicators: false,
  // npm test checks the types of the whole project; a start should not wait for it again.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
};

export default nextConfig;
