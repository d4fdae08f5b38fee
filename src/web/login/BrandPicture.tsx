/** One printed code, three places it may lead: the product in one drawing. */
export function BrandPicture() {
  return (
    <svg className="lc-login-picture" viewBox="0 0 420 300" aria-hidden="true">
      <g>
        <rect x="30" y="70" width="160" height="160" rx="20" />
        <rect x="52" y="92" width="42" height="42" rx="8" />
        <rect x="66" y="106" width="14" height="14" rx="3" />
        <rect x="126" y="92" width="42" height="42" rx="8" />
        <rect x="140" y="106" width="14" height="14" rx="3" />
        <rect x="52" y="166" width="42" height="42" rx="8" />
        <rect x="66" y="180" width="14" height="14" rx="3" />
        <path d="M126 152h14M154 152h14M126 180h14v28M154 166v14h14M154 208h14M104 92v14M104 120v32M52 150h28M104 166v42" />
      </g>
      <g className="lc-login-ways">
        <path d="M190 150C250 150 250 60 308 60" />
        <path d="M190 150H308" />
        <path d="M190 150C250 150 250 240 308 240" />
      </g>
      <g className="lc-login-targets">
        <rect x="308" y="34" width="84" height="52" rx="12" />
        <rect x="308" y="124" width="84" height="52" rx="12" />
        <rect x="308" y="214" width="84" height="52" rx="12" />
        <path d="M326 60h48M326 150h30M326 240h40" />
      </g>
      <circle className="lc-login-dot" r="5">
        <animateMotion dur="6s" repeatCount="indefinite" path="M190 150C250 150 250 60 308 60" />
      </circle>
    </svg>
  );
}
