// SPDX-License-Identifier: Apache-2.0

extension ClockPage {
  /// The style of the page: dark or light like the system, and as large as the screen allows.
  static let style = """
    :root{color-scheme:light;--page:#fbfaf7;--text:#16181d;--faint:#6b6f78;--line:#dedbd3;\
    --rest:#d3cfc5;--accent:#c8410b;--good:#1f7a44;--warn:#a35c00;--bad:#b3261e}
    @media (prefers-color-scheme:dark){:root{color-scheme:dark;--page:#0d0f12;--text:#f4f2ec;\
    --faint:#949aa5;--line:#262a31;--rest:#31363f;--accent:#ff7a33;--good:#58cf85;--warn:#ffb347;\
    --bad:#ff6b61}}
    *{box-sizing:border-box;margin:0}
    html,body{height:100%}
    body{display:flex;flex-direction:column;padding:max(2vmin,env(safe-area-inset-top)) 3vmin 2vmin;\
    background:var(--page);color:var(--text);overflow:hidden;user-select:none;\
    font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif;\
    font-variant-numeric:tabular-nums lining-nums}
    header{display:flex;align-items:baseline;gap:2vmin;font-size:max(2.6vmin,15px)}
    h1{font-size:1em;font-weight:600;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
    #source{color:var(--faint);white-space:nowrap;overflow:hidden;text-overflow:ellipsis;flex:1}
    #lock{display:flex;align-items:center;gap:.5em;white-space:nowrap;color:var(--faint)}
    #lock i{width:.8em;height:.8em;border-radius:50%;background:var(--rest)}
    #lock b{font-weight:600}
    .good #lock{color:var(--good)}.warn #lock{color:var(--warn)}.lost #lock{color:var(--bad)}
    .good #lock i{background:var(--good)}.warn #lock i{background:var(--warn)}
    .lost #lock i{background:var(--bad)}
    main{flex:1;min-height:0;display:flex;flex-direction:column;align-items:center;\
    justify-content:space-evenly}
    #place{display:flex;align-items:baseline;justify-content:center;line-height:.84;font-weight:700;\
    letter-spacing:-.03em;font-size:min(50vh,calc(148vw/var(--digits,4)))}
    #beat{color:var(--accent);margin-left:.22em}
    .stopped #beat,.lost #beat,.waiting #beat{color:var(--faint)}
    .lost #place,.lost #label,.waiting #place,.waiting #label{opacity:.45}
    #dots{display:flex;gap:1.2vmin;width:min(94vw,140vh);height:4.2vmin}
    #dots i{flex:1;border-radius:1vmin;background:var(--rest)}
    #dots i.past{background:color-mix(in srgb,var(--accent) 38%,var(--rest))}
    #dots i.on{background:var(--accent)}
    .stopped #dots i.on,.lost #dots i.on{background:var(--faint)}
    .stopped #dots i.past,.lost #dots i.past{background:var(--rest)}
    #label{font-size:min(15vh,13.2vw);font-weight:600;line-height:1;letter-spacing:-.01em}
    #place[hidden]~#label{font-size:min(40vh,14vw)}
    footer{display:flex;flex-wrap:wrap;gap:1.4vmin 4vmin;padding-top:1.8vmin;\
    border-top:1px solid var(--line)}
    dl{min-width:0}
    dt{color:var(--faint);font-size:max(2.2vmin,13px)}
    dd{font-size:max(5.2vmin,22px);font-weight:600;line-height:1.15;white-space:nowrap;\
    overflow:hidden;text-overflow:ellipsis}
    dd small{font-size:.5em;color:var(--faint);font-weight:400}
    .wide{flex:1 1 34vw}
    #until{color:var(--text);font-weight:600}
    [hidden]{display:none!important}
    nav{display:flex;gap:1.6vmin;padding-top:2vmin}
    button{flex:1;min-height:max(9vmin,48px);border:1px solid var(--line);border-radius:1.4vmin;\
    background:transparent;color:var(--text);font-family:inherit;font-weight:600;\
    font-size:max(2.3vmin,15px);touch-action:manipulation}
    button:active{background:var(--line)}
    button.main{flex:2;background:var(--accent);border-color:var(--accent);color:var(--page)}
    button:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
    @media (orientation:portrait){#place{font-size:min(34vh,calc(150vw/var(--digits,4)))}\
    footer dl:not(.wide){flex:1}.wide{flex:1 1 100%}\
    nav{display:grid;grid-template-columns:repeat(3,1fr)}\
    button.main{grid-column:1/-1;grid-row:1;min-height:max(10vmin,56px)}}
    @media (max-aspect-ratio:3/5){#place{flex-direction:column;align-items:center;gap:.1em;\
    font-size:min(21vh,calc(138vw/var(--bar,3)))}#beat{margin-left:0}}
    @media (max-height:480px){#label{font-size:min(17vh,10vw)}footer{flex-wrap:nowrap}\
    .wide{flex:1 1 20vw}nav{padding-top:1vmin}button{min-height:40px}}
    """
}
