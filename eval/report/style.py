"""How a report's page looks: light and dark, wide and narrow, on paper.

Series colours are those of Okabe & Ito (2008), which people with any colour vision tell apart, lightened on
dark paper; ranks run through one hue by lightness. Fonts are the reader's own, with those that hold
Devanagari and Chinese, Japanese and Korean named after the system's.
"""

from __future__ import annotations

from typing import Final

STYLE: Final = """
:root{color-scheme:light;--paper:#fff;--ink:#1d2126;--quiet:#5b6470;--rule:#d9dde2;--tint:#f4f6f8;
--link:#0b5cad;--gold:#7a5200;--gold-tint:#fff4d6;--warn:#b4541a;
--series-0:#0072b2;--series-1:#c24e00;--series-2:#00805f;--series-3:#a8508a;--series-4:#8a6a00;--series-5:#2f7fb5;
--rank-0:#0b3c6b;--rank-1:#1f66a8;--rank-2:#4a90c9;--rank-3:#86b9e0;--rank-4:#b9d7ee;--rank-5:#dfecf6;
--rank-6:#f1f1f1;--on-dark:#fff;--on-light:#14202c}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;--paper:#14171b;--ink:#e4e7eb;
--quiet:#a2abb6;--rule:#343a42;--tint:#1d2127;--link:#7db8f5;--gold:#ffd479;--gold-tint:#38300f;--warn:#ff9d5c;
--series-0:#5fb3ea;--series-1:#ff9752;--series-2:#3fcba4;--series-3:#e59acb;--series-4:#e6c64a;
--series-5:#a5d4f3;
--rank-0:#d3e8fa;--rank-1:#9ccbf2;--rank-2:#64a6dc;--rank-3:#3b7ab0;--rank-4:#295780;--rank-5:#1e3c57;
--rank-6:#2a2d31;--on-dark:#14202c;--on-light:#fff}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI",
Roboto,"Noto Sans","Noto Sans Devanagari","Nirmala UI","Kohinoor Devanagari","PingFang SC","Hiragino Sans",
"Microsoft YaHei","Noto Sans CJK SC",sans-serif;overflow-wrap:break-word}
main{max-width:60rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:1.75rem;line-height:1.25;margin:0 0 1rem;overflow-wrap:anywhere}
h2{font-size:1.25rem;line-height:1.3;margin:2.75rem 0 .75rem;padding-top:.75rem;
border-top:1px solid var(--rule)}
h3{font-size:1.05rem;margin:1.75rem 0 .5rem;overflow-wrap:anywhere}
p{margin:.6rem 0;max-width:46rem;overflow-wrap:anywhere}
a{color:var(--link)}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.1rem;list-style:none;margin:0;padding:0;font-size:.95rem}
ul,ol{padding-left:1.4rem}
.ranking{padding-left:2.2rem}
li{margin:.2rem 0;overflow-wrap:anywhere}
.warning{border-left:3px solid var(--warn);padding-left:.75rem}
.scroll{overflow-x:auto;margin:1rem 0}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
table{border-collapse:collapse;font-size:.9rem;line-height:1.45;min-width:min(100%,34rem)}
caption{text-align:left;color:var(--quiet);padding-bottom:.4rem;caption-side:top}
caption span{position:sticky;left:0;display:block;width:max-content;max-width:min(46rem,100vw - 2rem)}
th,td{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--rule)}
th:last-child,td:last-child{padding-right:0}
thead th{font-weight:600;vertical-align:bottom}
tbody th{font-weight:400;min-width:8.5rem}
td{min-width:8rem}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap;min-width:0;overflow-wrap:normal}
thead .number{white-space:normal}
dl{display:grid;grid-template-columns:minmax(6rem,max-content) 1fr;
gap:.25rem 1rem;margin:.75rem 0;font-size:.95rem}
dt{color:var(--quiet)}
dd{margin:0;min-width:0;overflow-wrap:anywhere}
details{border-bottom:1px solid var(--rule);padding:.5rem 0}
summary{cursor:pointer;overflow-wrap:anywhere}
summary b{font-variant-numeric:tabular-nums;margin-right:.4rem}
.ranking li{font-size:.95rem;padding:.1rem .4rem}
.gold{background:var(--gold-tint)}
.gold b{color:var(--gold);white-space:nowrap}
figure{margin:1.25rem 0}
figcaption{color:var(--quiet);font-size:.9rem}
.plot{display:block;overflow:visible}
.plot text{font-size:13px;fill:var(--ink);paint-order:stroke;stroke:var(--halo,var(--paper));
stroke-width:3px;
stroke-linejoin:round}
.plot .tick{font-size:11px;fill:var(--quiet)}
.plot .value{font-size:12px;font-variant-numeric:tabular-nums}
.grid{stroke:var(--rule)}
.whisker{stroke-width:1.6;stroke:currentColor}
.marker{fill:currentColor;stroke:var(--paper)}
.bar{fill:currentColor}
.series-0{color:var(--series-0)}.series-1{color:var(--series-1)}.series-2{color:var(--series-2)}
.series-3{color:var(--series-3)}.series-4{color:var(--series-4)}.series-5{color:var(--series-5)}
.rank-0{fill:var(--rank-0)}.rank-1{fill:var(--rank-1)}.rank-2{fill:var(--rank-2)}.rank-3{fill:var(--rank-3)}
.rank-4{fill:var(--rank-4)}.rank-5{fill:var(--rank-5)}.rank-6{fill:var(--rank-6);stroke:var(--quiet)}
.mark{stroke:var(--paper);stroke-opacity:.45;fill:none}circle.mark{fill:var(--paper);fill-opacity:.6;stroke:none}
.mark.strong{stroke:var(--quiet);stroke-opacity:.8}
.plot .share{font-size:11px;font-weight:600}
.plot .on-0,.plot .on-1,.plot .on-2{fill:var(--on-dark)}
.plot .on-3,.plot .on-4,.plot .on-5,.plot .on-6{fill:var(--on-light)}
.on-0{--halo:var(--rank-0)}.on-1{--halo:var(--rank-1)}.on-2{--halo:var(--rank-2)}
.on-3{--halo:var(--rank-3)}.on-4{--halo:var(--rank-4)}.on-5{--halo:var(--rank-5)}.on-6{--halo:var(--rank-6)}
@media (max-width:34rem){main{padding:1.25rem 1rem 3rem}h1{font-size:1.4rem}
dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.5rem}
tbody th{min-width:6rem}th,td{padding-right:.6rem}thead .number{white-space:nowrap}}
@media print{body{font-size:10.5pt}main{max-width:none;padding:0}nav{display:none}.scroll{overflow:visible}
h2,h3,caption{break-after:avoid}figure,tr,details{break-inside:avoid}
details::details-content{content-visibility:visible;block-size:auto}
.plot,.gold{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
"""
