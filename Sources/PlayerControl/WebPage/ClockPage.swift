// SPDX-License-Identifier: Apache-2.0

/// The page that shows a clock: one document that loads nothing and opens only its web socket.
///
/// It can be read from a distance of three metres, on a tablet or a phone.
package enum ClockPage {
  /// The page, in HTML.
  static let text = """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <meta name="theme-color" content="#0d0f12" media="(prefers-color-scheme: dark)">
    <meta name="theme-color" content="#fbfaf7" media="(prefers-color-scheme: light)">
    <title>Downbeat</title>
    <link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' \
    viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='6' fill='%23e8590c'/%3E%3C/svg%3E">
    <style>
    \(style)
    </style>
    </head>
    <body class="waiting">
    <header><h1 id="title">Downbeat</h1><span id="source"></span>
    <span id="lock" role="status"><i></i><b id="state">connecting</b></span></header>
    <main>
    <div id="place" aria-label="bar and beat"><span id="bar">–</span><span id="beat">–</span></div>
    <div id="dots" aria-hidden="true"></div>
    <div id="label" aria-label="time code">--:--:--:--</div>
    </main>
    <footer>
    <dl><dt>tempo</dt><dd><span id="bpm">–</span> <small>bpm</small></dd></dl>
    <dl><dt>meter</dt><dd id="meter">–</dd></dl>
    <dl><dt>time</dt><dd id="time">–</dd></dl>
    <dl class="wide" id="markers" hidden><dt>now</dt><dd id="marker"></dd></dl>
    <dl class="wide" id="nexts" hidden><dt>next <span id="until"></span></dt><dd id="next"></dd></dl>
    </footer>
    <nav id="lead" hidden></nav>
    <script>
    \(script)
    </script>
    </body>
    </html>

    """
}
