import { type NotePlace, notesFor } from "@/lib/evaluate/paper/notes";
import { plural } from "@/lib/text/format";

/** What a reader of published numbers has to know about them: folded, opened by a click or Enter. */
export function PaperNotes({ places, heading }: { places: NotePlace[]; heading?: string }) {
  const notes = notesFor(...places);
  return (
    <details className="mt-1">
      <summary className="cursor-pointer">
        {heading ?? plural(notes.length, "note on these numbers", "notes on these numbers")}
      </summary>
      <ul className="mt-1 flex list-none flex-col gap-1">
        {notes.map((note) => (
          <li key={note.id}>
            <b className="font-medium">{note.id}</b> {note.text}
          </li>
        ))}
      </ul>
    </details>
  );
}
