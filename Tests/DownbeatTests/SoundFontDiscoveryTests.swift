// SPDX-License-Identifier: Apache-2.0
import Downbeat
import Foundation
import TestSupport
import Testing

/// The search in simulated file trees with the layout of the distributions.
@Suite struct SoundFontDiscoveryTests {
  private let tree: ScratchFolder

  init() throws { tree = try ScratchFolder() }

  private var root: String { tree.url.path }

  /// Adds a file to the tree: a soundfont, unless other bytes are given.
  private func put(_ path: String, _ bytes: [UInt8] = TinySoundFont.bytes) throws {
    let file = tree.url.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  private func link(_ path: String, to target: String) throws {
    let folder = tree.url.appendingPathComponent(path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: tree.path(path), withDestinationPath: target)
  }

  private func discovery(
    _ environment: [String: String] = [:], library: String? = nil
  ) -> SoundFontDiscovery {
    SoundFontDiscovery(
      environment: environment.merging(["HOME": root + "/home"]) { given, _ in given },
      executable: root + "/usr/bin/downbeat", root: root, libraryDefault: { library })
  }

  private func found(
    _ environment: [String: String] = [:], library: String? = nil
  ) -> String? {
    discovery(environment, library: library).find().map { String($0.dropFirst(root.count + 1)) }
  }

  @Test func `a file is found by its name without the suffix, too`() throws {
    try put("fonts/Own.sf2")
    try put("fonts/Small.sf3")
    try put("fonts/Windows.dls")
    let fonts = root + "/fonts"
    for (name, file) in [
      ("Own", "Own.sf2"), ("Own.sf2", "Own.sf2"), ("Small", "Small.sf3"),
      ("Windows", "Windows.dls"),
    ] {
      #expect(discovery().path(named: "\(fonts)/\(name)") == "\(fonts)/\(file)")
    }
    #expect(discovery().path(named: "\(fonts)/own") == nil)
  }

  @Test func `an empty machine is without soundfonts`() {
    #expect(found() == nil)
    #expect(discovery().steps().allSatisfy { $0.verdict == .missing })
  }

  @Test func `Debian: the alternative decides, whatever its suffix`() throws {
    try put("usr/share/sounds/sf2/FluidR3_GM.sf2")
    try put("usr/share/sounds/sf2/TimGM6mb.sf2")
    // On Debian, the alternative for .sf3 may refer to an .sf2 file.
    try link("etc/alternatives/default-GM.sf3", to: root + "/usr/share/sounds/sf2/TimGM6mb.sf2")
    try link("usr/share/sounds/sf3/default-GM.sf3", to: root + "/etc/alternatives/default-GM.sf3")
    #expect(found() == "usr/share/sounds/sf3/default-GM.sf3")
  }

  @Test func `Debian: without an alternative the better of two is found`() throws {
    try put("usr/share/sounds/sf2/TimGM6mb.sf2")
    try put("usr/share/sounds/sf2/FluidR3_GM.sf2")
    try put("usr/share/downbeat/soundfonts/Downbeat.sf2")
    #expect(found() == "usr/share/sounds/sf2/FluidR3_GM.sf2")
  }

  @Test func `Debian: a dangling alternative is passed over`() throws {
    try link("usr/share/sounds/sf2/default-GM.sf2", to: root + "/etc/alternatives/none")
    try put("usr/share/sounds/sf2/TimGM6mb.sf2")
    #expect(found() == "usr/share/sounds/sf2/TimGM6mb.sf2")
  }

  @Test func `Fedora: default.sf2 in soundfonts`() throws {
    try put("usr/share/soundfonts/FluidR3_GM.sf2")
    try link("usr/share/soundfonts/default.sf2", to: "FluidR3_GM.sf2")
    #expect(found() == "usr/share/soundfonts/default.sf2")
  }

  @Test func `Arch: no default until the user links one`() throws {
    try put("usr/share/soundfonts/freepats-general-midi.sf2")
    try put("usr/share/soundfonts/FluidR3_GM.sf2")
    #expect(found() == "usr/share/soundfonts/FluidR3_GM.sf2")
    try link("usr/share/soundfonts/default.sf2", to: "freepats-general-midi.sf2")
    #expect(found() == "usr/share/soundfonts/default.sf2")
  }

  @Test func `openSUSE: a known set in sounds`() throws {
    try put("usr/share/sounds/sf2/MuseScore_General-0.2.sf2")
    #expect(found() == "usr/share/sounds/sf2/MuseScore_General-0.2.sf2")
  }

  @Test func `Flatpak: the application's own folder`() throws {
    try put("app/share/soundfonts/FluidR3_GM.sf2")
    #expect(found() == "app/share/soundfonts/FluidR3_GM.sf2")
  }

  @Test func `the font of this project is found in its install folder`() throws {
    try put("usr/share/downbeat/soundfonts/Downbeat.sf2")
    #expect(found() == "usr/share/downbeat/soundfonts/Downbeat.sf2")
  }

  @Test func `the user's folder is searched before the system's`() throws {
    try put("usr/share/soundfonts/default.sf2")
    try put("home/.local/share/soundfonts/default.sf2")
    #expect(found() == "home/.local/share/soundfonts/default.sf2")
    try put("data/soundfonts/default.sf3")
    let own = ["XDG_DATA_HOME": root + "/data"]
    #expect(found(own) == "data/soundfonts/default.sf3")
  }

  @Test func `a variable overrides all, and the configuration overrides the folders`() throws {
    try put("usr/share/soundfonts/default.sf2")
    try put("a.sf2")
    try put("home/b.sf2")
    try put("home/.config/downbeat/config.toml", Array("# mine\nsoundfont = \"~/b.sf2\"\n".utf8))
    #expect(found() == "home/b.sf2")
    for name in SoundFontDiscovery.variables {
      #expect(found([name: root + "/a.sf2"]) == "a.sf2", "\(name)")
    }
    #expect(found(["SDL_SOUNDFONTS": "/none.sf2;\(root)/a.sf2"]) == "a.sf2")
  }

  @Test func `a variable names several fonts, each with its settings`() throws {
    try put("a.sf2")
    try put("b.sf2")
    try put("home/c.sf2")
    let list = "\(root)/a.sf2:/none.sf2;\(root)/b.sf2,bank=8,gain=-3dB"
    let steps = discovery(["SOUND_FONT": list, "SOUNDFONT": root + "/home/c.sf2"]).steps()
    #expect(steps.prefix(4).map(\.verdict) == [.chosen, .missing, .chosen, .passedOver])
    #expect(steps.prefix(4).map(\.settings) == ["", "", ",bank=8,gain=-3dB", ""])
    let chosen = discovery(["SOUND_FONT": list]).chosen()
    #expect(chosen.map(\.path) == ["a.sf2", "b.sf2"].map { "\(root)/\($0)" })
  }

  @Test func `a setting names several fonts, by file or by name`() throws {
    try put("home/b.sf2")
    try put("usr/share/soundfonts/Installed.sf2")
    try put(
      "home/.config/downbeat/config.toml",
      Array("soundfont = [\"~/b.sf2\", \"Installed,bank=1\"]\n".utf8))
    let chosen = discovery().chosen()
    #expect(
      chosen.map(\.path)
        == ["home/b.sf2", "usr/share/soundfonts/Installed.sf2"].map {
          "\(root)/\($0)"
        })
    #expect(chosen.map(\.settings) == ["", ",bank=1"])
  }

  @Test func `a comma without a setting belongs to the name`() throws {
    try put("a,b.sf2")
    #expect(found(["SOUND_FONT": root + "/a,b.sf2"]) == "a,b.sf2")
    #expect(found(["SOUND_FONT": root + "/a,b.sf2,bank=2"]) == "a,b.sf2")
  }

  @Test func `the system's configuration is read after the user's`() throws {
    try put("a.sf2")
    try put("etc/xdg/downbeat/config.toml", Array("soundfont=\"\(root)/a.sf2\"".utf8))
    #expect(found() == "a.sf2")
  }

  @Test func `a configuration that cannot be read is reported, and the next one is used`() throws {
    try put("a.sf2")
    try put("etc/xdg/downbeat/config.toml", Array("soundfont=\"\(root)/a.sf2\"".utf8))
    #expect(discovery().configurationTroubles.isEmpty)
    let own = "home/.config/downbeat/config.toml"
    // Root may read files that others may not read, but not a link that refers to itself.
    try link(own, to: "config.toml")
    let trouble = try #require(discovery().configurationTroubles.first)
    #expect("\(trouble)".hasPrefix(tree.path(own)), "\(trouble)")
    #expect(discovery().configurationTroubles.count == 1)
    #expect(found() == "a.sf2")
  }

  @Test func `the contents of a file are checked, not its suffix`() throws {
    try put("usr/share/soundfonts/default.sf2", Array("a web page that says 404".utf8))
    try put("usr/share/soundfonts/FluidR3_GM.sf2")
    let steps = discovery().steps()
    #expect(steps.first { $0.path.hasSuffix("default.sf2") && $0.verdict == .notSoundFont } != nil)
    #expect(found() == "usr/share/soundfonts/FluidR3_GM.sf2")
  }

  @Test func `FluidSynth's default is used before other fonts`() throws {
    try put("usr/share/soundfonts/TimGM6mb.sf2")
    try put("opt/built-in.sf2")
    #expect(found(library: "/opt/built-in.sf2") == "opt/built-in.sf2")
  }

  @Test func `an unknown font that is not a General MIDI set is not used`() throws {
    try put("usr/share/soundfonts/Harpsichord.sf2")
    #expect(found() == nil)
    #expect(discovery().fonts().count == 1)
  }

  @Test func `a folder of a thousand fonts with an unreadable one is searched`() throws {
    for index in 0..<1000 { try put("usr/share/soundfonts/Piano \(index).sf2") }
    try put("usr/share/soundfonts/broken.sf2", [1, 2, 3])
    try link("usr/share/soundfonts/loop.sf2", to: "loop.sf2")
    try put("usr/share/soundfonts/FluidR3_GM.sf2")
    #expect(found() == "usr/share/soundfonts/FluidR3_GM.sf2")
    #expect(discovery().fonts().count == 1001)
  }

  @Test func `the level of a link is that of the known font it refers to`() throws {
    try put("usr/share/sounds/sf2/FluidR3_GM.sf2")
    try link("usr/share/sounds/sf2/default-GM.sf2", to: "FluidR3_GM.sf2")
    for (path, decibels) in [
      ("usr/share/sounds/sf2/FluidR3_GM.sf2", 4.0), ("usr/share/sounds/sf2/default-GM.sf2", 4),
      ("usr/Downbeat.sf2", 0), ("usr/TimGM6mb.sf2", 2), ("usr/other.sf2", 3),
    ] {
      #expect(SoundFontCatalog.loudness(ofFontAt: tree.path(path)) == decibels, "\(path)")
    }
  }

  @Test func `the table knows names with a version and does not mix up relatives`() {
    #expect(SoundFontCatalog.rank(of: "MuseScore_General.sf3") == 0)
    #expect(SoundFontCatalog.rank(of: "GeneralUser-GS-v1.471.sf2") != nil)
    #expect(
      SoundFontCatalog.rank(of: "FluidR3_GM2-2.SF2") != SoundFontCatalog.rank(of: "FluidR3_GM.sf2"))
    #expect(SoundFontCatalog.rank(of: "TimGM6mbX.sf2") == nil)
    #expect(SoundFontCatalog.rank(of: "Piano.sf2") == nil)
  }
}
