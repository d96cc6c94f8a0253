# SPDX-License-Identifier: Apache-2.0
"""Small pictures of curves: SVG, in the colours that both light and dark pages leave legible."""
import math

COLOURS = ["#0a84d0", "#d0701a", "#2a9d5c", "#9a5fc0"]
WIDTH, HEIGHT, GAP = 330, 190, 62


class Panel:
    """Axes with curves. An axis is (first, last, ticks, logarithmic)."""

    def __init__(self, title, across, up, x, y):
        self.title, self.across, self.up, self.x, self.y = title, across, up, x, y
        self.curves = []

    def add(self, name, xs, ys, dashed=False, dots=False):
        self.curves.append((name, list(xs), list(ys), dashed, dots))
        return self

    @staticmethod
    def place(axis, value, length):
        first, last, _, logarithmic = axis
        if logarithmic:
            first, last, value = math.log(first), math.log(last), math.log(max(value, 1e-9))
        return (value - first) / (last - first) * length

    def points(self, xs, ys):
        """At most one point in a pixel and a half, with a place before the point."""
        low, high = self.y[:2]
        found, last = [], -9
        for x, y in zip(xs, ys):
            if math.isnan(y) or not self.x[0] <= x <= self.x[1]:
                continue
            across = self.place(self.x, x, WIDTH)
            if across - last < 1.5:
                continue
            last = across
            up = HEIGHT - self.place(self.y, min(max(y, low), high), HEIGHT)
            found.append((round(across, 1), round(up, 1)))
        return found

    def svg(self, left, top):
        parts = [f'<g transform="translate({left} {top})">',
                 f'<text y="-10" font-weight="bold">{self.title}</text>',
                 f'<text x="{WIDTH}" y="{HEIGHT + 32}" text-anchor="end">{self.across}</text>',
                 f'<text x="-34" y="-10" text-anchor="end" class="u">{self.up}</text>']
        for tick in self.x[2]:
            x = round(self.place(self.x, tick, WIDTH), 1)
            label = f"{tick / 1000:g}k" if tick >= 1000 else f"{tick:g}"
            parts.append(f'<path class="g" d="M{x} 0V{HEIGHT}"/>'
                         f'<text x="{x}" y="{HEIGHT + 15}" text-anchor="middle">{label}</text>')
        for tick in self.y[2]:
            y = round(HEIGHT - self.place(self.y, tick, HEIGHT), 1)
            parts.append(f'<path class="g" d="M0 {y}H{WIDTH}"/>'
                         f'<text x="-6" y="{y + 4}" text-anchor="end">{tick:g}</text>')
        for number, (name, xs, ys, dashed, dots) in enumerate(self.curves):
            colour = COLOURS[number % len(COLOURS)]
            points = self.points(xs, ys)
            line = "".join(f"{'M' if index == 0 else 'L'}{x:g} {y:g}"
                           for index, (x, y) in enumerate(points))
            dash = ' stroke-dasharray="5 3"' if dashed else ""
            parts.append(f'<path d="{line}" fill="none" stroke="{colour}" stroke-width="1.6"{dash}/>')
            if dots:
                parts += [f'<circle cx="{x:g}" cy="{y:g}" r="2.6" fill="{colour}"/>'
                          for x, y in points]
            parts.append(f'<text x="{8 + 165 * (number % 2)}" y="{HEIGHT + 50 + 15 * (number // 2)}" '
                         f'fill="{colour}" class="n">{name}</text>')
        return "\n".join(parts + ["</g>"])


def picture(path, panels):
    """Writes panels, two in a row."""
    rows = (len(panels) + 1) // 2
    width = 20 + min(2, len(panels)) * (WIDTH + GAP)
    height = 10 + rows * (HEIGHT + 116)
    body = [panel.svg(50 + index % 2 * (WIDTH + GAP), 36 + index // 2 * (HEIGHT + 116))
            for index, panel in enumerate(panels)]
    style = ("text{font:11px sans-serif;fill:#777}.n{font-weight:bold}.u{font-size:10px}"
             ".g{stroke:#8886;stroke-width:.6;fill:none}")
    for number, colour in enumerate(COLOURS):
        style += f'.n[fill="{colour}"]{{fill:{colour}}}'
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}">\n'
        f"<style>{style}</style>\n" + "\n".join(body) + "\n</svg>\n")
