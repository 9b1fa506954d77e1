/** Heading of a part, with what can be done there. */
export function Head({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <h3 className="text-sm font-medium">{title}</h3>
      {children}
    </div>
  );
}

/** What an empty part says. */
export const Nothing = ({ children }: { children: React.ReactNode }) => (
  <p className="text-sm text-muted">{children}</p>
);
