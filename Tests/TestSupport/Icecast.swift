// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// Icecast, a server of radio stations, on the loopback interface, with a station that FFmpeg
/// feeds.
package final class Icecast: @unchecked Sendable {
  // Unchecked: one test uses it at a time.

  /// The path of the program: installed, or unpacked next to the build by `make setup-test`.
  package static let program = [
    "/usr/bin/icecast2",
    ToolRun.packageFolder.appendingPathComponent(".build/witnesses/icecast2/usr/bin/icecast2").path,
  ].first { FileManager.default.isExecutableFile(atPath: $0) }

  package let port: UInt16
  private let folder: ScratchFolder
  private var server: Process?
  private var feeder: Process?

  package init() throws {
    folder = try ScratchFolder()
    port = Self.freePort()
    try begin()
  }

  deinit {
    for process in [feeder, server] { Self.end(process) }
  }

  package var address: String { "http://127.0.0.1:\(port)/live" }

  /// Ends a process that was started here.
  private static func end(_ process: Process?) {
    guard let process, process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
  }

  /// A free port.
  private static func freePort() -> UInt16 {
    let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(probe) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = unsafe bind(probe, $0, size)
        _ = unsafe getsockname(probe, $0, &size)
      }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  private func begin() throws {
    // It refuses to run as root, so it changes to the owner of the folder.
    let owner =
      getuid() == 0
      ? "<changeowner><user>nobody</user><group>nogroup</group></changeowner>" : ""
    let settings = """
      <icecast><limits><clients>20</clients><sources>2</sources><burst-size>32000</burst-size>
      <source-timeout>10</source-timeout></limits>
      <authentication><source-password>feed</source-password><admin-user>admin</admin-user>
      <admin-password>admin</admin-password></authentication>
      <hostname>localhost</hostname>
      <listen-socket><port>\(port)</port><bind-address>127.0.0.1</bind-address></listen-socket>
      <paths><basedir>\(folder.url.path)</basedir><logdir>\(folder.url.path)</logdir>
      <webroot>\(folder.url.path)</webroot><adminroot>\(folder.url.path)</adminroot></paths>
      <logging><accesslog>access.log</accesslog><errorlog>error.log</errorlog>
      <loglevel>2</loglevel></logging><security><chroot>0</chroot>\(owner)</security></icecast>
      """
    let path = try folder.write("icecast.xml", Array(settings.utf8))
    _ = unsafe chmod(folder.url.path, 0o777)
    server = try Self.run(Self.program ?? "", ["-c", path])
    try waitForServer()
  }

  private static func run(_ program: String, _ words: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = words
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return process
  }

  package struct Failure: Error {
    let text: String
  }

  private func waitForServer() throws {
    for _ in 0..<1000 {
      if try status(of: "") != "000" { return }
      usleep(20_000)
    }
    let log = FileManager.default.contents(atPath: folder.path("error.log")) ?? Data()
    throw Failure(text: "icecast2 did not begin: \(String(decoding: log, as: UTF8.self))")
  }

  /// The status of a page, from curl; 000 without an answer.
  private func status(of path: String) throws -> String {
    try ToolRun(
      [
        "-s", "-o", "/dev/null", "-m", "0.5", "-w", "%{http_code}", "-r", "0-0",
        "http://127.0.0.1:\(port)/\(path)",
      ], command: "/usr/bin/curl"
    ).text
  }

  /// The formats of a station.
  package enum Format: String, CaseIterable, Sendable {
    case mp3, aac, vorbis, opus, flac

    fileprivate var words: [String] {
      switch self {
      case .mp3: ["-c:a", "libmp3lame", "-b:a", "64k", "-content_type", "audio/mpeg", "-f", "mp3"]
      case .aac: ["-c:a", "aac", "-b:a", "64k", "-content_type", "audio/aac", "-f", "adts"]
      case .vorbis: ["-c:a", "libvorbis", "-content_type", "application/ogg", "-f", "ogg"]
      case .opus: ["-c:a", "libopus", "-content_type", "application/ogg", "-f", "ogg"]
      case .flac: ["-c:a", "flac", "-content_type", "application/ogg", "-f", "ogg"]
      }
    }

    /// The sample rate in frames per second.
    package var hertz: Int { self == .opus ? 48_000 : 44_100 }
  }

  /// Starts to feed the station with a tone in real time, and waits until it is on the air.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - title: A title for the tags of Ogg.
  /// - Throws: `Failure` if the station does not start.
  package func feed(_ format: Format = .mp3, title: String = "") throws {
    let source =
      format == .mp3
      ? "sine=frequency=441:sample_rate=44100"
      : "aevalsrc=0.5*sin(2*PI*t*(300+10*t))|0.5*sin(2*PI*t*441):s=\(format.hertz)"
    feeder = try Self.run(
      "/usr/bin/ffmpeg",
      ["-v", "error", "-re", "-f", "lavfi", "-i", source, "-metadata", "title=\(title)"]
        + format.words.dropLast(2)
        + ["-ice_name", "Loopback FM"] + format.words.suffix(2)
        + ["icecast://source:feed@127.0.0.1:\(port)/live"])
    for _ in 0..<100 {
      if try status(of: "live") == "200" { return }
      usleep(100_000)
    }
    throw Failure(text: "the station is not on the air")
  }

  /// Takes the station off the air.
  package func stopFeeding() {
    Self.end(feeder)
    feeder = nil
  }

  /// Sets the current title.
  package func setTitle(_ title: String) throws {
    _ = try ToolRun(
      [
        "-s", "-o", "/dev/null", "-u", "source:feed", "-G", "--data-urlencode", "song=\(title)",
        "http://127.0.0.1:\(port)/admin/metadata?mount=/live&mode=updinfo",
      ], command: "/usr/bin/curl")
  }
}
