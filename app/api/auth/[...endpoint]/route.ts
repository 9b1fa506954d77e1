import { getDb } from "@/db/client";
import { authEndpoint } from "@/lib/people/accounts/endpoints";

export const dynamic = "force-dynamic";

/** Sign in, sign out, change one's password, use an invitation. */
export async function POST(request: Request, { params }: RouteContext<"/api/auth/[...endpoint]">) {
  return authEndpoint(getDb(), (await params).endpoint.join("/"), request);
}
