// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Songs in a RIFF wrapper: the bank in the file is played, reported and kept.
@Suite struct WrappedSongTests {
  private static let main = "Soundfonts/Downbeat.sf2"
  private static let bank = TinySoundFont.with([.init(0, 9)])
  private static let information = [
    WrappedSong.text("INAM", "Blue"), WrappedSong.text("IART", "Ann"),
    ("IPIC", [0x89, 0x50, 0x4E, 0x47, 0x0D]),
  ]

  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A song that plays programs of bank N, of bank 0, and drums.
  private static func song(bank: UInt8) -> [UInt8] {
    SongBytes.file([
      (0, [0xB0, 0, bank]), (0, [0xC0, 1]), (0, [0xC1, 40]), (0, [0x90, 69, 100]),
      (0, [0x91, 60, 90]), (0, [0x99, 36, 100]), (480, [0x80, 69, 0]), (0, [0x81, 60, 0]),
      (0, [0x89, 36, 0]),
    ])
  }

  /// Renders a song, without the automatic loudness, with Downbeat's own soundfont as the default.
  private func render(_ path: String, _ options: String...) throws -> (sound: [UInt8], CommandRun) {
    let name = "out\(UInt32.random(in: 0 ... .max)).wav"
    let run = try CommandRun(
      ["render", path, "-o", folder.path(name), "--absolute-gain", "1"] + options,
      environment: ["DOWNBEAT_SOUNDFONT": Self.main])
    #expect(run.status == 0 || run.status == 3, "\(run.errors)")
    return (try Self.samples(folder.bytes(name)), run)
  }

  /// The content of the chunk `data`: texts before it may differ.
  private static func samples(_ wave: [UInt8]) throws -> [UInt8] {
    var offset = 12
    while offset + 8 <= wave.count {
      let length = (0..<4).reduce(0) { $0 | Int(wave[offset + 4 + $1]) << (8 * $1) }
      if wave[offset..<offset + 4].elementsEqual("data".utf8) {
        return Array(wave[offset + 8..<min(wave.count, offset + 8 + length)])
      }
      offset += 8 + length + length % 2
    }
    return []
  }

  @Test(arguments: [nil, 0, 1, 5, 127] as [UInt8?], ["downbeat", "fluidsynth"])
  func `the bank in the file sounds as the same soundfont named before the main one`(
    offset: UInt8?, engine: String
  ) throws {
    let song = Self.song(bank: offset ?? 1)
    let information = offset.map { [WrappedSong.bankOffset(Int($0))] } ?? []
    let wrapped = try folder.write(
      "song.rmi", WrappedSong.file(song, information, bank: Self.bank))
    let font = try folder.write("bank.sf2", Self.bank)
    let (own, run) = try render(wrapped, "--engine", engine)
    let (named, _) = try render(
      folder.write("song.mid", song), "--engine", engine, "-s", "\(font),bank=\(offset ?? 1)",
      "-s", Self.main)
    let (without, _) = try render(wrapped, "--engine", engine, "--no-embedded-bank")
    #expect(!own.isEmpty && own == named, "\(run.errors)")
    #expect(own != without)
  }

  @Test(arguments: ["sf3", "dls"])
  func `banks with compressed samples and DLS banks sound as the same files do`(
    kind: String
  ) throws {
    let font = folder.path("bank.\(kind)")
    if kind == "dls" {
      var bank = TinyDLS()
      bank.instruments[0].program = 1
      _ = try folder.write("bank.dls", bank.bytes)
    } else {
      let source = try folder.write("bank.sf2", Self.bank)
      let run = try CommandRun(["soundfont", "convert", source, "-o", font])
      try #require(run.status == 0, "\(run.errors)")
    }
    let song = Self.song(bank: 1)
    let wrapped = try folder.write(
      "song.rmi", WrappedSong.file(song, bank: folder.bytes("bank.\(kind)")))
    let (own, run) = try render(wrapped)
    let (named, _) = try render(
      folder.write("song.mid", song), "-s", "\(font),bank=1", "-s", Self.main)
    #expect(try own == named && own != render(wrapped, "--no-embedded-bank").sound, "\(run.errors)")
    let info = try CommandRun(["info", wrapped])
    #expect(info.text.contains("(\(kind.uppercased()), "), "\(info.text)")
    #expect(info.text.contains("bank offset 1 (not stated)"), "\(info.text)")
  }

  @Test func `stems and a file from standard input play the bank, too`() throws {
    let song = Self.song(bank: 1)
    let wrapped = WrappedSong.file(song, bank: Self.bank)
    let font = try folder.write("bank.sf2", Self.bank)
    let paths = try [folder.write("a.rmi", wrapped), folder.write("b.mid", song)]
    let fonts = [[], ["-s", "\(font),bank=1", "-s", Self.main]]
    for (index, path) in paths.enumerated() {
      let run = try CommandRun(
        ["render", path, "-o", folder.path("stems\(index)"), "--stems", "channel"] + fonts[index],
        environment: ["DOWNBEAT_SOUNDFONT": Self.main])
      #expect(run.status == 0, "\(run.errors)")
    }
    let stems = try ["stems0", "stems1"].map { name in
      try FileManager.default.contentsOfDirectory(atPath: folder.path(name)).sorted().map {
        try Self.samples(folder.bytes("\(name)/\($0)"))
      }
    }
    #expect(stems[0].count >= 3 && stems[0] == stems[1])
    let piped = try CommandRun(
      ["render", "-", "-o", folder.path("piped.wav"), "--absolute-gain", "1"],
      input: Data(wrapped), environment: ["DOWNBEAT_SOUNDFONT": Self.main])
    #expect(piped.status == 0, "\(piped.errors)")
    #expect(try Self.samples(folder.bytes("piped.wav")) == render(paths[0]).sound)
  }

  @Test func `an explicit soundfont replaces the bank, unless the bank is requested`() throws {
    let song = Self.song(bank: 1)
    let wrapped = try folder.write("song.rmi", WrappedSong.file(song, bank: Self.bank))
    let plain = try folder.write("song.mid", song)
    let (replaced, run) = try render(wrapped, "-s", Self.main)
    #expect(run.errors.contains("--soundfont replaces the bank in the file"), "\(run.errors)")
    #expect(try replaced == render(plain, "-s", Self.main).sound)
    let (both, other) = try render(wrapped, "-s", Self.main, "--embedded-bank")
    #expect(try both == render(wrapped).sound && both != replaced)
    #expect(!other.errors.contains("replaces"))
    let (quiet, silent) = try render(wrapped, "-s", Self.main, "--quiet")
    #expect(quiet == replaced && silent.errors.isEmpty, "\(silent.errors)")
  }

  @Test func `each song of a list plays its own bank, and the next one does not`() throws {
    let song = Self.song(bank: 1)
    let wrapped = try folder.write("a.rmi", WrappedSong.file(song, bank: Self.bank))
    let plain = try folder.write("b.mid", song)
    let run = try CommandRun(
      ["render", wrapped, plain, "--output-dir", folder.path("all"), "--absolute-gain", "1"],
      environment: ["DOWNBEAT_SOUNDFONT": Self.main])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try Self.samples(folder.bytes("all/a.wav")) == render(wrapped).sound)
    #expect(try Self.samples(folder.bytes("all/b.wav")) == render(plain).sound)
  }

  @Test func `a damaged bank is reported, and the song is played without it`() throws {
    let song = Self.song(bank: 1)
    let whole = WrappedSong.file(song, bank: Self.bank)
    let (sound, _) = try render(folder.write("song.mid", song))
    var tables = whole
    let place = try #require(whole.indices.first { whole[$0...].starts(with: "phdr".utf8) })
    tables[place] = 0x58
    for (bytes, status) in [(Array(whole.dropLast(50)), Int32(3)), (tables, 0)] {
      let path = try folder.write("bad.rmi", bytes)
      let (own, run) = try render(path)
      #expect(run.status == status, "\(run.errors)")
      #expect(run.errors.contains("bad.rmi: the bank in the file cannot be used: "))
      #expect(own == sound)
      for command in ["info", "check"] {
        let report = try CommandRun([command, path])
        #expect(report.status == 3 && report.text.contains("damaged: "), "\(report.text)")
      }
      #expect(try CommandRun(["check", "--strict", path]).status == 65)
    }
  }

  @Test func `info and check report what the wrapper contains`() throws {
    let path = try folder.write(
      "song.rmi", WrappedSong.file(Self.song(bank: 1), Self.information, bank: Self.bank))
    let info = try CommandRun(["info", path])
    #expect(info.status == 0, "\(info.text)")
    for words in [
      "title     Blue", "artist    Ann", "picture   PNG, 5 bytes",
      "bank      Tiny (SF2, \((Self.bank.count + 512) / 1024) KiB, 4 presets, ",
      "bank offset 1 (not stated))",
    ] {
      #expect(info.text.contains(words), "\(info.text)")
    }
    let check = try CommandRun(["check", path])
    #expect(check.status == 0 && check.text.contains("a bank of instruments"), "\(check.text)")
    #expect(check.text.contains("Tiny (SF2"), "\(check.text)")
    let json = try CommandRun(["info", "--json", path])
    let document = try #require(
      try JSONSerialization.jsonObject(with: json.output) as? [String: Any])
    let wrapper = try #require(document["wrapper"] as? [String: Any])
    #expect(wrapper["title"] as? String == "Blue" && wrapper["album"] is NSNull)
    let bank = try #require(wrapper["bank"] as? [String: Any])
    #expect(bank["kind"] as? String == "SF2" && bank["presets"] as? Int == 4)
    #expect(bank["bankOffset"] as? Int == 1 && bank["bankOffsetStated"] as? Bool == false)
    let plain = try CommandRun(["info", "--json", "-"], input: Data(Self.song(bank: 1)))
    #expect(!plain.text.contains("wrapper"))
  }

  @Test(arguments: ["out.rmi", "OUT.RMI", "out.sfmi", "-"])
  func `an edited song keeps its wrapper, by the name of its output`(name: String) throws {
    let bytes = WrappedSong.file(Self.song(bank: 1), Self.information, bank: Self.bank)
    let path = try folder.write("song.rmi", bytes)
    func edited(_ more: String...) throws -> [UInt8] {
      let output = name == "-" ? "-" : folder.path(name)
      let run = try CommandRun(["edit", path, "-o", output, "--overwrite"] + more)
      #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
      return try name == "-" ? Array(run.output) : folder.bytes(name)
    }
    #expect(try edited() == bytes)
    let up = try edited("--do", "transpose +2")
    let bank = up.suffix(Self.bank.count)
    #expect(up != bytes && bank.elementsEqual(Self.bank))
  }

  @Test func `a MIDI file that is written from an RMID file is plain, which is reported`() throws {
    let song = Self.song(bank: 1)
    let path = try folder.write("song.rmi", WrappedSong.file(song, bank: Self.bank))
    let run = try CommandRun(["edit", path, "-o", folder.path("out.mid")])
    #expect(run.status == 0)
    #expect(run.errors.contains("the bank and texts of the RIFF wrapper are not written"))
    #expect(try folder.bytes("out.mid") == song)
  }
}
