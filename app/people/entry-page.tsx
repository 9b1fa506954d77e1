/** A page for who is not signed in: one card, no rail. */
export function EntryPage({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto flex min-h-full max-w-sm flex-col justify-center gap-4 px-4 py-8">
        <p className="text-sm text-muted">Misstep</p>
        <h1 className="text-lg font-semibold">{title}</h1>
        {children}
      </div>
    </div>
  );
}
