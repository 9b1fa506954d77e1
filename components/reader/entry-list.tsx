import type { VirtualItem } from "@tanstack/react-virtual";
import type { Flag } from "@/db/queries/reader-flags";
import { EntryCard } from "./entry-card";
import { MARK_BITS } from "./marks";
import { HiddenEntry, Placeholder } from "./stand-in";
import type { EntryView } from "./types";

interface Props {
  scroller: React.Ref<HTMLDivElement>;
  /** Of all entries. */
  height: number;
  /** The entries that are drawn. */
  items: VirtualItem[];
  /** Told every element that is drawn, for its height. */
  measure: React.RefCallback<HTMLElement>;
  marks: number[];
  /** The entry that was gone to last. */
  marked: number | null;
  isHidden: (entry: number) => boolean;
  /** What is known of an entry; undefined while it is fetched. */
  entryAt: (entry: number) => EntryView | undefined;
  flagOf: (entry: number) => Flag | undefined;
  numberOf: (entry: number) => number | null;
  onShow: (entry: number) => void;
}

/** The entries in view, in a scroll as high as all of them. */
export function EntryList(props: Props) {
  const { items, marks, marked, numberOf } = props;
  const has = (entry: number, bit: number) => ((marks[entry] ?? 0) & bit) !== 0;
  return (
    <section
      ref={props.scroller}
      aria-label="Entries"
      className="min-w-0 flex-1 overflow-y-auto [overflow-anchor:none]"
    >
      <div className="relative" style={{ height: props.height }}>
        <div className="absolute inset-x-0 top-0" style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
          {items.map(({ index, key, size }) => {
            const entry = props.entryAt(index);
            return (
              <div key={key} data-index={index} data-loaded={entry !== undefined} ref={props.measure}>
                {props.isHidden(index) ? (
                  <HiddenEntry
                    number={numberOf(index)}
                    rejected={has(index, MARK_BITS.rejected)}
                    onShow={() => props.onShow(index)}
                  />
                ) : entry ? (
                  <EntryCard
                    entry={entry}
                    flag={props.flagOf(index)}
                    sameTurn={has(index, MARK_BITS.sameTurn)}
                    marked={marked === index}
                  />
                ) : (
                  <Placeholder number={numberOf(index)} height={size} />
                )}
              </div>
            );
          })}
        </div>
      </div>
    </section>
  );
}
