import { MapPinOff } from "lucide-react";
import Link from "next/link";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";

export default function NotFound() {
  return (
    <StateMessage
      page
      icon={<MapPinOff aria-hidden />}
      title="There is nothing at this address"
      actions={
        <Button asChild>
          <Link href="/trajectories">All trajectories</Link>
        </Button>
      }
    >
      It may have been deleted, or the link may be wrong.
    </StateMessage>
  );
}
