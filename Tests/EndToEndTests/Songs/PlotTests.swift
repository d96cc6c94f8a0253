// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct PlotTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private static let hasCairo = ["x86_64", "aarch64"].contains {
    FileManager.default.fileExists(atPath: "/usr/lib/\($0)-linux-gnu/libcairo.so.2")
  }

  /// Draws a song into a file and returns its text.
  private func plot(_ song: String, _ name: String, _ flags: [String] = []) throws -> String {
    let path = scratch.path(name)
    let run = try CommandRun(["plot", song, "-o", path] + flags)
    try #require(run.status == 0, "\(run.errors)")
    #expect(run.output.isEmpty)
    return String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }

  /// Returns the texts in a file, one per line, as read by the XML and HTML parsers of Python.
  private func texts(_ name: String, isPage: Bool = false) throws -> [String] {
    let script =
      isPage
      ? """
      import sys, html.parser
      class P(html.parser.HTMLParser):
        empty = {'meta'}
        def __init__(self): super().__init__(); self.open = []
        def handle_starttag(self, tag, attrs):
          assert tag not in ('script', 'link', 'img', 'iframe'), tag
          assert not any(a.startswith('on') or a in ('href', 'src') for a, _ in attrs), attrs
          if tag not in self.empty: self.open.append(tag)
        def handle_endtag(self, tag): assert self.open.pop() == tag, tag
        def handle_data(self, data): print(data.strip())
      p = P(); p.feed(open(sys.argv[1]).read()); p.close(); assert not p.open, p.open
      """
      : """
      import sys, xml.etree.ElementTree as E
      for e in E.parse(sys.argv[1]).iter():
        assert e.tag.startswith('{http://www.w3.org/2000/svg}'), e.tag
        assert e.tag.split('}')[1] in ('svg', 'title', 'style', 'path', 'text'), e.tag
        print((e.text or '').strip())
      """
    let run = try ToolRun(["-c", script, scratch.path(name)], command: "/usr/bin/python3")
    try #require(run.status == 0, "\(run.errors)")
    return run.text.split(separator: "\n").map(String.init)
  }

  @Test func `an SVG names instruments, keys, bars, markers and times`() throws {
    let text = try plot("Songs/groove.mid", "groove.svg")
    let words = try Set(texts("groove.svg"))
    for word in [
      "Late Shift", "Tenor Sax", "Standard Kit", "Closed Hi-hat", "C4", "4/4  E minor", "13",
      "0:30", "Velocity", "Tempo", "end",
    ] {
      #expect(words.contains(word), "\(word)")
    }
    #expect(text.contains("prefers-color-scheme:dark"))
    #expect(try text == plot("Songs/groove.mid", "again.svg"))
    #expect(text.utf8.count < 150_000)
  }

  @Test func `a theme, a part and channels are chosen`() throws {
    let text = try plot(
      "Songs/groove.mid", "part.svg",
      ["--theme", "dark", "--from", "5|1", "--to", "0:30", "--solo", "1,10", "--width", "800"])
    #expect(!text.contains("prefers-color-scheme"))
    #expect(text.contains("width=\"800\""))
    let words = try Set(texts("part.svg"))
    #expect(words.contains("Electric Bass (finger)"))
    #expect(!words.contains("Tenor Sax"))
    #expect(words.contains("5") && words.contains("0:15") && !words.contains("0:35"))
  }

  @Test func `a page is one file, and contains the facts of info`() throws {
    let page = try plot("Songs/groove.mid", "groove.html")
    #expect(!page.contains("http") || page.components(separatedBy: "http").count == 3)
    let words = try texts("groove.html", isPage: true)
    for word in ["Late Shift", "division", "480 ticks per quarter note", "67 Tenor Sax"] {
      #expect(words.contains(word), "\(word)")
    }
  }

  @Test(arguments: ["svg", "html"])
  func `the title of a song is never markup`(form: String) throws {
    let title = Array("</style></title><script>alert(1)</script>]]>&amp;\"'\u{1B}[2J\u{202E}".utf8)
    let texts: [(delta: Int, bytes: [UInt8])] = [3, 1, 6].map { type in
      (0, [0xFF, type, UInt8(title.count)] + title)
    }
    let song = try scratch.write(
      "<x>.mid", SongBytes.file(texts + [(0, [0x90, 60, 100]), (480, [0x80, 60, 64])]))
    let text = try plot(song, "x.\(form)")
    #expect(!text.contains("<script") && !text.contains("\u{1B}") && !text.contains("\u{202E}"))
    let words = try self.texts("x.\(form)", isPage: form == "html")
    #expect(words.contains { $0.contains("<script>alert(1)</script>]]>&amp;\"'·[2J·") })
  }

  @Test func `the sound of a song is drawn from its rendering`() throws {
    _ = try plot(
      "Songs/loop.mid", "sound.svg",
      ["--audio", "--width", "320", "--soundfont", "Soundfonts/Downbeat.sf2"])
    let words = try texts("sound.svg")
    #expect(words.contains("Waveform") && words.contains("Spectrum"))
    #expect(words.contains { $0.hasSuffix("LUFS") && $0.hasPrefix("−1") })
    #expect(words.contains("16k"))
  }

  @Test(.enabled(if: hasCairo, "no libcairo: apt install libcairo2"))
  func `a sound file is drawn, as pixels too`() throws {
    let sound = try scratch.write("click.wav", WaveBytes.click(frames: 48000))
    _ = try plot(sound, "click.svg", ["--width", "400"])
    let words = try texts("click.svg")
    #expect(words.contains("Waveform") && words.contains("click.wav"))
    let path = scratch.path("click.png")
    let run = try CommandRun(["plot", sound, "-o", path, "--width", "400"])
    #expect(run.status == 0, "\(run.errors)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(bytes[16..<20].elementsEqual([0, 0, 1, 0x90]))
  }

  @Test func `standard input and output are files like others`() throws {
    let song = try Data(
      contentsOf: ToolRun.packageFolder.appendingPathComponent("Songs/minuet.mid"))
    let run = try CommandRun(["plot", "-", "-o", "-", "--format", "svg"], input: song)
    #expect(run.status == 0)
    #expect(run.text.hasPrefix("<?xml"))
    #expect(run.text.hasSuffix("</svg>\n"))
  }

  @Test func `an error of drawing is one sentence`() throws {
    let taken = try scratch.write("taken.svg", [])
    for (words, status, part) in [
      (["Songs/loop.mid", "-o", "x.gif"], 64, "unknown format (use .svg, .png or .html"),
      (["Songs/loop.mid", "-o", "-"], 64, "--format"),
      (["Songs/loop.mid", "-o", taken], 73, "--overwrite"),
      (["Songs/loop.mid", "-o", "x.svg", "--width", "9"], 64, "320…8192"),
      (["Songs/groove.mid", "-o", "x.svg", "--height", "321"], 64, "needs"),
      (["Songs/loop.mid", "-o", "x.svg", "--from", "2h"], 64, "--from 2h: the song ends at 0:44"),
      (
        ["Songs/loop.mid", "-o", "x.svg", "--from", "9s", "--to", "8s"], 64,
        "--to 8s: is not after --from 9s"
      ),
      (["Soundfonts/Downbeat.sf2", "-o", "x.svg"], 65, "soundfont"),
      (["none.mid", "-o", "x.svg"], 66, "none.mid"),
    ] as [([String], Int32, String)] {
      let run = try CommandRun(["plot"] + words)
      #expect(run.status == status, "\(words): \(run.errors)")
      #expect(run.errors.contains(part), "\(words): \(run.errors)")
    }
    let sound = try scratch.write("click.wav", WaveBytes.click(frames: 480))
    let run = try CommandRun(["plot", sound, "-o", scratch.path("x.svg"), "--audio"])
    #expect(run.status == 64)
    #expect(try scratch.names() == ["click.wav", "taken.svg"])
  }

  @Test(arguments: [0, 1]) func `a song with one note or none is drawn`(notes: Int) throws {
    let song = try scratch.write("little.mid", SongBytes.notes(notes, every: 480))
    _ = try plot(song, "little.svg")
    #expect(try texts("little.svg").contains("Notes"))
    let again = try CommandRun(["plot", song, "-o", scratch.path("again.svg")])
    let note = "downbeat: \(song): no notes to draw (the picture is empty)\n"
    #expect(again.errors == (notes == 0 ? note : ""))
    let muted = try CommandRun(["plot", song, "-o", scratch.path("muted.svg"), "--solo", "16"])
    #expect(muted.errors == note)
  }
}
