// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

/// `sound play` with addresses, as a shell sees it, on ALSA's devices without hardware.
@Suite(
  .enabled(
    if: ["ffmpeg", "python3", "openssl"].allSatisfy {
      FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    }, "no ffmpeg, python3 or openssl (make setup-test)"))
struct SoundPlayStreamTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A tone of some seconds.
  private func tone(_ name: String, seconds: Int, _ words: String...) throws {
    let run = try ToolRun(
      [
        "-v", "error", "-y", "-f", "lavfi", "-i",
        "sine=frequency=441:sample_rate=44100:duration=\(seconds)", "-af", "volume=8",
      ] + words + [folder.path(name)], command: "/usr/bin/ffmpeg")
    try #require(run.status == 0, "\(run.errors)")
  }

  private func mp3(_ name: String, seconds: Int) throws {
    try tone(name, seconds: seconds, "-c:a", "libmp3lame", "-b:a", "64k", "-write_xing", "0")
  }

  private func play(
    _ words: String..., environment: [String: String?] = [:]
  ) throws -> ToolRun {
    let device = ["--audio", "file:FILE=\(folder.path("heard")),FORMAT=raw"]
    return try ToolRun(
      ["sound", "play"] + words + device + ["--sample-rate", "44100"],
      environment: environment.merging(["no_proxy": "*"]) { $1 }, limit: 120)
  }

  /// The samples of the left channel that are not silent: on a busy machine there may be gaps.
  private func heard() throws -> [Float] {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("heard")))
    let samples = unsafe bytes.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
    return stride(from: 0, to: samples.count, by: 2).lazy.map { samples[$0] }.filter { $0 != 0 }
  }

  /// The messages of a run, less those about gaps, which a busy machine may cause.
  private func messages(_ run: ToolRun) -> String {
    let gaps = ["too slowly; silent until", "of silence", "underran"]
    return run.errors.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { line in !gaps.contains { line.contains($0) } }.joined(separator: "\n")
  }

  @Test func `an address sounds like the file, and its format is reported`() throws {
    try mp3("a.mp3", seconds: 2)
    let server = try StreamServer(folder)
    let address = "http://127.0.0.1:\(server.port)/a.mp3"
    let run = try play(address)
    #expect(run.status == 0 && run.text == "", "\(run.errors)")
    #expect(messages(run) == "\(address): MP3, 44100 Hz, 1 channel, 64 kb/s\n")
    let streamed = try heard()
    #expect(try play(folder.path("a.mp3")).status == 0)
    let file = try heard()
    #expect(streamed.count > 80_000 && streamed == file)
  }

  @Test func `addresses, files and lists of both are played in order, quietly on request`() throws {
    try mp3("a.mp3", seconds: 1)
    try mp3("b.mp3", seconds: 1)
    try tone("c.m4a", seconds: 1, "-c:a", "aac")
    let server = try StreamServer(folder)
    let host = "http://127.0.0.1:\(server.port)"
    let list = try folder.write(
      "l.m3u", Array("#EXTM3U\n\(host)/a.mp3\nb.mp3\n\(host)/c.m4a\n".utf8))
    let run = try play("-q", list)
    #expect(run.status == 0 && messages(run) == "", "\(run.errors)")
    #expect(try abs(heard().count - 3 * 44_100) < 5_000)
    let remote = try play("\(host)/l.m3u")
    // Files are the other machine's; what follows is played.
    #expect(remote.status == 0, "\(remote.errors)")
    #expect(remote.errors.contains("\(host)/l.m3u: MP3, 44100 Hz, 1 channel, 64 kb/s\n"))
    #expect(try abs(heard().count - 2 * 44_100) < 5_000)
  }

  @Test func `each failure is one line with its status, and no password is shown`() throws {
    try mp3("a.mp3", seconds: 1)
    _ = try folder.write("page.html", Array("<html>hello</html>".utf8))
    let server = try StreamServer(folder)
    let host = "127.0.0.1:\(server.port)"
    let cases: [(String, Int32, String)] = [
      ("/none.mp3", 66, "the server answered 404, not found"),
      ("/page.html", 65, "not sound, but a web page (use the address of the stream itself)"),
      ("/ring", 66, "more than 10 redirects"),
    ]
    for (path, status, sentence) in cases {
      let run = try play("http://user:geheim@\(host)\(path)?key=geheim")
      #expect(run.status == status, "\(run.errors)")
      #expect(run.errors == "downbeat: http://\(host)\(path)?…: \(sentence)\n")
    }
    let closed = try play("http://127.0.0.1:1/a.mp3")
    #expect(closed.status == 66 && closed.errors.split(separator: "\n").count == 1)
    #expect(closed.errors.hasPrefix("downbeat: http://127.0.0.1:1/a.mp3: cannot be reached: "))
    let some = try play("http://\(host)/none.mp3", "http://\(host)/a.mp3")
    #expect(some.status == 3, "\(some.errors)")
  }

  @Test func `errors in an address or a flag are reported before a device is opened`() throws {
    for word in ["ftp://user:geheim@host/a.mp3", "http://", "http://ho st/"] {
      let run = try play(word)
      #expect(run.status == 64 && !run.errors.contains("geheim"), "\(run.errors)")
      #expect(run.errors.contains("not a web address"))
    }
    let run = try play("http://127.0.0.1:1/a.mp3", "--loop", "2")
    #expect(run.status == 64 && run.errors.contains("web addresses play once"), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("heard")))
  }

  @Test func `a missing device is reported if the address is valid`() throws {
    let cases: [(String, Int32, String)] = [
      ("http:///a.mp3", 64, "not a web address"),
      ("http//radio.example/a.mp3", 64, "no such file, and not a web address (http://…)"),
      ("http:/radio.example/a.mp3", 64, "no such file, and not a web address (http://…)"),
      ("www.radio.example", 64, "no such file, and not a web address (http://…)"),
      ("radio.example:8000/live", 64, "no such file, and not a web address (http://…)"),
      ("http://127.0.0.1:1/a.mp3", 69, "no such sound device"),
    ]
    for (word, status, sentence) in cases {
      let run = try ToolRun(
        ["sound", "play", word, "--audio", "nowhere"], environment: ["no_proxy": "*"])
      #expect(run.status == status, "\(run.errors)")
      #expect(run.errors.contains(sentence), "\(run.errors)")
    }
  }

  @Test func `an unknown certificate is refused, unless it is given`()
    throws
  {
    try mp3("a.mp3", seconds: 1)
    let (key, own) = (folder.path("key.pem"), folder.path("own.pem"))
    let made = try ToolRun(
      [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", own,
      ], command: "/usr/bin/openssl")
    try #require(made.status == 0, "\(made.errors)")
    let both =
      try Data(contentsOf: URL(fileURLWithPath: key))
      + Data(contentsOf: URL(fileURLWithPath: own))
    let server = try StreamServer(folder, certificate: folder.write("both.pem", Array(both)))
    let address = "https://127.0.0.1:\(server.port)/a.mp3"
    let none: [String: String?] = ["CURL_CA_BUNDLE": nil, "SSL_CERT_FILE": nil]
    let refused = try play(address, environment: none)
    #expect(refused.status == 66)
    #expect(refused.errors.hasPrefix("downbeat: \(address): no secure connection: "))
    #expect(
      refused.errors.contains("self-signed certificate")
        && refused.errors.split(separator: "\n").count == 1)
    for name in ["CURL_CA_BUNDLE", "SSL_CERT_FILE"] {
      let believed = try play(address, environment: none.merging([name: own]) { $1 })
      #expect(believed.status == 0, "\(believed.errors)")
    }
  }

  @Test func `a signal ends it at once, by that signal`() throws {
    try mp3("a.mp3", seconds: 60)
    let server = try StreamServer(folder)
    let errors = folder.path("errors")
    let tool = try RunningTool(
      ["sound", "play", "http://127.0.0.1:\(server.port)/slow-a.mp3", "--audio", "null"],
      environment: ["no_proxy": "*"], folder: folder.url, errors: errors)
    var text = ""
    for _ in 0..<600 where !text.contains("MP3") {
      usleep(50_000)
      text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: errors)), as: UTF8.self)
    }
    #expect(text.contains("MP3, 44100 Hz"))
    #expect(try tool.end(by: SIGINT).signal == SIGINT)
  }

  @Test func `on a terminal it has the picture and the keys of a file`() throws {
    try mp3("a.mp3", seconds: 60)
    let server = try StreamServer(folder)
    let address = "http://127.0.0.1:\(server.port)/a.mp3"
    let terminal = try PseudoTerminal(
      "no_proxy='*' \"$0\" sound play \(address) --audio null; echo \"[ended $?]\"; read -r line")
    // The format is reported when the sound is audible, not before.
    try terminal.wait(for: "a second that was heard") {
      $0.text.contains(" / 1:00") && !$0.text.contains("0:00 / 1:00")
    }
    try terminal.type(" ", until: "paused")
    try terminal.type("?", until: "louder")
    try terminal.type("q", until: "[ended 0]")
    #expect(terminal.picture.text.contains("MP3, 44100 Hz, 1 channel, 64 kb/s"))
  }

  @Test func `events for other programs match the schema`() throws {
    try mp3("a.mp3", seconds: 1)
    let server = try StreamServer(folder)
    let host = "http://127.0.0.1:\(server.port)"
    let run = try play("\(host)/a.mp3", "\(host)/none", "--json")
    #expect(run.status == 3, "\(run.errors)")
    let names = run.text.split(separator: "\n").compactMap { line in
      line.split(separator: "\"event\":\"").dropFirst().first?.prefix { $0 != "\"" }
    }
    // Progress and, on a busy machine, gaps may be reported as well.
    let others: Set<Substring> = ["progress", "stream-dry", "stream-sound", "underruns"]
    #expect(
      Set(names).subtracting(others) == [
        "begin", "stream", "end-file", "stream-failed", "end",
      ], "\(run.text)")
    #expect(run.text.contains(#""codec":"MP3","rate":44100,"channels":1,"bitrate":64000"#))
    if SchemaJudge.isAvailable {
      #expect(try SchemaJudge.faults(of: run.output, in: "report") == "")
    }
  }
}
