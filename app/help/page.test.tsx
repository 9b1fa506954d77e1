import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import HelpPage from "./page";

test("a word's link names the page it leads to, as the rail does", () => {
  const links = [...renderToStaticMarkup(HelpPage()).matchAll(/<a [^>]*href="([^"]+)"[^>]*>([^<]+)<\/a>/g)];
  const said = Object.fromEntries(links.map(([, href, text]) => [href, text]));
  expect(said).toMatchObject({
    "/models": "Models",
    "/profiles": "Profiles",
    "/misbehaviors/versions": "Misbehaviors",
    "/trajectories?unaided=true": "Trajectories",
    "/study": "Study",
  });
});
