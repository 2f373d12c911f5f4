// The sign of the house: a line that parts at a switch, as a box sets it.

export function Mark({ size = 20 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" fill="none" aria-hidden>
      <rect width="20" height="20" rx="5.5" fill="var(--accent-fill)" />
      <path d="M3.5 13.5h13" stroke="var(--on-accent)" strokeOpacity="0.55" strokeWidth="1.7" strokeLinecap="round" />
      <path d="M3.5 13.5h2.3c4.2 0 3.6-7 7.8-7h.4" stroke="var(--on-accent)" strokeWidth="1.9" strokeLinecap="round" />
      <circle cx="15" cy="6.5" r="2" fill="var(--on-accent)" />
    </svg>
  );
}
