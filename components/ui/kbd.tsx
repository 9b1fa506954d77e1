export function Kbd({ children }: { children: React.ReactNode }) {
  return (
    <kbd className="inline-block min-w-5 rounded border border-b-2 bg-raised px-1 text-center font-mono text-xs text-text">
      {children}
    </kbd>
  );
}
