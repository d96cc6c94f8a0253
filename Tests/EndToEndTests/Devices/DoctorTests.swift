// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `doctor` as a program: on this machine as it is, and where its sound is what a test says.
@Suite struct DoctorTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private struct Document: Decodable {
    struct Finding: Decodable {
      let section: String
      let name: String
      let found: String
      let verdict: String
      let why: String
      let fixes: [String]
    }
    let v: Int
    let type: String
    let canPlay: Bool
    let status: Int32
    let findings: [Finding]
  }

  /// Where ALSA's default device is what a line of its configuration says.
  private func sound(_ line: String) throws -> [String: String?] {
    [
      "ALSA_CONFIG_PATH": try folder.write("asound.conf", Array("\(line)\n".utf8)),
      "HOME": folder.url.path, "XDG_RUNTIME_DIR": folder.url.path,
    ]
  }

  private static let null = "pcm.!default { type null }"
  private static let font = ToolRun.packageFolder
    .appendingPathComponent("Soundfonts/Downbeat.sf2").path

  @Test func `the document, the text and the commands say the same`() throws {
    let environment = try sound(Self.null)
    let json = try ToolRun(["doctor", "--json"], environment: environment, limit: 60)
    let document = try JSONDecoder().decode(Document.self, from: json.output)
    #expect(document.v == 1 && document.type == "doctor")
    #expect(document.status == json.status)
    #expect(document.canPlay == (json.status == 0))
    let text = try ToolRun(["doctor"], environment: environment, limit: 60)
    #expect(text.status == json.status && text.errors.isEmpty)
    for finding in document.findings {
      #expect(text.text.contains(finding.found), "\(finding.name): \(text.text)")
    }
    let fix = try ToolRun(["doctor", "--fix"], environment: environment, limit: 60)
    let named = document.findings.flatMap(\.fixes)
    #expect(Set(fix.text.split(separator: "\n").map(String.init)) == Set(named))
  }

  @Test func `with a device and a font a song would sound`() throws {
    var environment = try sound(Self.null)
    environment["DOWNBEAT_SOUNDFONT"] = Self.font
    let run = try ToolRun(["doctor"], environment: environment, limit: 60)
    #expect(run.status == 0, "\(run.text)")
    #expect(run.text.contains("ready to play"))
    #expect(run.text.contains("null: opens, but is silent"))
  }

  @Test func `a name that stands for another, or for itself, is followed to its end`() throws {
    let named = try ToolRun(
      ["doctor"], environment: try sound("pcm.other { type null }\npcm.!default \"other\""),
      limit: 60)
    #expect(named.text.contains("null: opens"), "\(named.text)")
    let circle = try ToolRun(
      ["doctor"], environment: try sound("pcm.!default { type plug slave.pcm \"default\" }"),
      limit: 60)
    #expect(circle.status == 69, "\(circle.text)")
  }

  @Test func `a server that does not listen is no device`() throws {
    // What it left behind is a file to which nobody answers.
    _ = try folder.write("pipewire-0", [])
    let run = try ToolRun(
      ["doctor"], environment: try sound("pcm.!default { type pipewire }"), limit: 60)
    #expect(run.status == 69)
    #expect(run.text.contains("uses PipeWire, which is not running"), "\(run.text)")
  }

  @Test func `a device that blocks is not waited for`() throws {
    // A server of ALSA's own that takes connections and never says a word.
    let place = folder.path("socket")
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(place.utf8)
    try #require(bytes.count < MemoryLayout.size(ofValue: address.sun_path))
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let bound = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0 && listen(descriptor, 5) == 0)
    let device = """
      server.stuck { host localhost socket "\(place)" }
      pcm.!default { type shm server stuck pcm "hw:0" }
      """
    let run = try ToolRun(["doctor"], environment: try sound(device), limit: 60)
    #expect(run.status == 69 && !run.wasSignalled)
    #expect(run.text.contains("no answer within 2 s"), "\(run.text)")
  }

  @Test(.enabled(if: !FileManager.default.fileExists(atPath: "/dev/snd"), "there are devices here"))
  func `where there is no device, that is said, and by the other commands`() throws {
    let run = try ToolRun(["doctor"], limit: 60)
    #expect(run.status == 69)
    #expect(run.text.contains("cannot play: default device"), "\(run.text)")
    let song = try folder.write("song.mid", SongBytes.notes(2, every: 240))
    for words in [["play", song], ["monitor"], ["sound", "play", try wave()], ["ports"]] {
      let refused = try ToolRun(words, limit: 60)
      #expect(refused.status == 69, "\(words): \(refused.errors)")
      #expect(refused.errors.contains("downbeat doctor"), "\(words): \(refused.errors)")
    }
  }

  private func wave() throws -> String {
    try folder.write("a.wav", WaveBytes.click(frames: 10))
  }

  @Test func `one form at a time`() throws {
    #expect(try ToolRun(["doctor", "--fix", "--json"]).status == 64)
    #expect(try ToolRun(["doctr"]).errors.contains("did you mean doctor?"))
  }
}
