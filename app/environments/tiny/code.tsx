import { CodeText } from "@/components/reader/code-text";
import { highlight, type Language } from "@/lib/text/highlight";

/** A piece of the generated environment as code, or as plain text. */
export function Code({
  text,
  label,
  note,
  language,
}: {
  text: string;
  label: string;
  note: string;
  language?: Language | null;
}) {
  return (
    <CodeText
      key={text}
      label={label}
      note={note}
      json={JSON.stringify(language ? highlight(text, language) : [["", text]])}
    />
  );
}
