/** A decorative picture: the curves of three sites, with a vertical line at a moment in the past. */
export const Showcase = () => (
  <div className="showcase" aria-hidden="true">
    <svg viewBox="0 0 560 440" className="showcase-picture">
      {[60, 140, 220, 300, 380].map((y) => (
        <path key={y} className="showcase-line" d={`M20 ${y}H540`} />
      ))}
      <path className="showcase-curve" d="M20 122C80 108 110 70 170 84S270 128 340 96 460 62 540 78" />
      <path className="showcase-curve" d="M20 262C90 250 130 196 200 214S290 268 350 232 470 204 540 176" />
      <path className="showcase-curve" d="M20 352C70 366 120 330 190 338S300 372 350 344 470 312 540 330" />
      <path className="showcase-moment" d="M350 30V410" />
      {[92, 232, 344].map((y) => (
        <circle key={y} className="showcase-dot" cx="350" cy={y} r="8" />
      ))}
    </svg>
  </div>
);
