import { expect, it } from "vitest";
import { decodeText } from "./decode";

it("decodes UTF-8 and says how many bytes were none, and where the first is", () => {
  expect(decodeText(Buffer.from("héllo\0\r\n"))).toEqual({ text: "héllo\0\r\n", warning: null });
  const { text, warning } = decodeText(
    Buffer.concat([Buffer.from("añb"), Buffer.from([0xff, 0xfe]), Buffer.from("c")]),
  );
  expect(text).toBe("añb\ufffd\ufffdc");
  expect(warning).toContain("about 2 characters");
  expect(warning).toContain("at byte 4");
});

it("reads UTF-16 by its byte order mark", () => {
  expect(decodeText(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("[1]", "utf16le")])).text).toBe("[1]");
});
