// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import OpenSoundControl
import TestSupport

/// Bundles of Open Sound Control sent to a running player: it neither ends by a signal nor stops
/// answering, and its memory is bounded.
struct BurstTarget: FuzzTarget {
  /// The most resident memory of the player, in MiB; it uses about 40 to play.
  private static let mostMemory = 200
  /// How long an answer may take, in tenths of a second: the player may be loading a song.
  private static let patience = 300
  /// The datagrams between two questions.
  private static let spacing = 64

  private static let verbs = [
    "play", "pause", "toggle", "stop", "seek", "bars", "marker", "restart", "next", "previous",
    "go", "list", "speed", "faster", "slower", "normal", "tempo", "tap", "transpose", "higher",
    "lower",
    "volume", "louder", "softer", "mute", "unmute", "solo", "unsolo", "hear-all", "loop",
    "loop-song", "no-loop", "program", "panic", "status", "get", "set", "locate", "confirm", "*",
    "{next,louder}", "[np]*",
  ]
  private static let words = [
    "1:30", "33.1.0", "+10", "-5", "-3dB", "80%", "2,10", "0", "1", "violin", "time-pos", "pause",
    "repeat", "list", "kind", "2562047h", "-2562047h", "9223372036854775807t", "@chorus", "",
  ]

  private let scene: FuzzScene
  private let songs: [String]
  private var player: Player?
  private var (sent, ends, peak, round) = (0, 0, 0, 0)

  init(_ scene: FuzzScene) throws {
    self.scene = scene
    songs = try ["a", "b", "c"].map { name in
      let url = scene.folder.appendingPathComponent("burst-\(name).mid")
      try Data(SongBytes.notes(200, every: 240)).write(to: url)
      return url.path
    }
  }

  var tally: String { "\(sent) datagrams, \(ends) players ended, peak \(peak) MiB of a player" }

  mutating func attack(_ random: inout SplitMix) throws {
    let player = try self.player ?? Player(songs, in: scene.folder)
    self.player = player
    let bytes = try packet(0, &random).bytes()
    try scene.keep(bytes)
    player.send(bytes)
    sent += 1
    round += 1
    // Its own limit is 1000 messages a second.
    usleep(500)
    guard round % Self.spacing == 0 else { return }
    try ask(player)
  }

  /// Waits for an answer; a player that has ended by itself is replaced.
  private mutating func ask(_ player: Player) throws {
    for _ in 0..<Self.patience {
      if let end = player.end {
        try FuzzFault.unless(end == 0, "the player ended with \(end)")
        self.player = nil
        ends += 1
        return
      }
      peak = max(peak, player.memory)
      try FuzzFault.unless(peak <= Self.mostMemory, "the player uses \(peak) MiB")
      if player.answers() { return }
    }
    throw FuzzFault(sentence: "the player does not answer")
  }

  private func packet(_ depth: Int, _ random: inout SplitMix) -> OSCPacket {
    guard depth < 3, Int.random(in: 0..<3, using: &random) > 0 else { return message(&random) }
    let count = Int.random(in: 0...5, using: &random)
    return .bundle(
      OSCBundle((0..<count).map { _ in packet(depth + 1, &random) }, at: tag(&random)))
  }

  private func message(_ random: inout SplitMix) -> OSCPacket {
    let isLast = Int.random(in: 0..<2000, using: &random) == 0
    let verb = isLast ? "quit" : Self.verbs.randomElement(using: &random) ?? "next"
    let count = Int.random(in: 0...2, using: &random)
    return .message(OSCMessage("/downbeat/\(verb)", (0..<count).map { _ in value(&random) }))
  }

  private func tag(_ random: inout SplitMix) -> OSCTimeTag {
    let seconds = UInt64(Date().timeIntervalSince1970) + 2_208_988_800
    return switch Int.random(in: 0..<6, using: &random) {
    case 0: OSCTimeTag(rawValue: random.next())
    case 1: OSCTimeTag(rawValue: seconds << 32 | random.next() >> 32)
    case 2: OSCTimeTag(rawValue: (seconds - 1) << 32 | random.next() >> 32)
    case 3: OSCTimeTag(rawValue: [0, 2, .max, 1 << 63].randomElement(using: &random) ?? 0)
    default: .immediately
    }
  }

  private func value(_ random: inout SplitMix) -> OSCValue {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .int32(.random(in: -2...200, using: &random))
    case 1: .int32([.min, .max, 0].randomElement(using: &random) ?? 0)
    case 2: .float(Float(bitPattern: .random(in: 0 ... .max, using: &random)))
    case 3: .double(Double(bitPattern: random.next()))
    case 4: .int64([.min, .max, 1 << 53].randomElement(using: &random) ?? 0)
    case 5: .bool(.random(using: &random))
    default: .string(Self.words.randomElement(using: &random) ?? "")
    }
  }
}

/// A player that listens to Open Sound Control on this machine; killed when it is released.
private final class Player {
  private let process: RunningTool
  private let descriptor: Int32
  private var status: Int32?

  init(_ songs: [String], in folder: URL) throws {
    descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = try Self.freePort().bigEndian
    let font = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path
    process = try RunningTool(
      ["play"] + songs + [
        "-s", font, "--audio", "null", "--no-remote", "--osc",
        "\(UInt16(bigEndian: address.sin_port))",
      ], folder: folder, errors: folder.appendingPathComponent("burst.errors").path)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = unsafe connect(descriptor, $0, size)
      }
    }
  }

  deinit {
    close(descriptor)
    guard end == nil else { return }
    kill(process.identifier, SIGKILL)
    waitpid(process.identifier, nil, 0)
  }

  private static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    try FuzzFault.unless(isBound, "no port of UDP is free")
    return UInt16(bigEndian: address.sin_port)
  }

  /// The exit status, or 128 and the signal, once it has ended.
  var end: Int32? {
    if status == nil {
      var found: Int32 = 0
      guard unsafe waitpid(process.identifier, &found, WNOHANG) == process.identifier else {
        return nil
      }
      let signal = found & 0x7F
      status = signal == 0 ? (found >> 8) & 0xFF : 128 + signal
    }
    return status
  }

  /// The most memory that it has had resident, in MiB; 0 once it has ended.
  var memory: Int {
    do {
      return try PeakMemory.bytes(of: process.identifier) >> 20
    } catch {
      return 0
    }
  }

  func send(_ bytes: [UInt8]) {
    _ = unsafe Glibc.send(descriptor, bytes, bytes.count, 0)
  }

  /// Asks for a property, and waits a tenth of a second for the answer.
  func answers() -> Bool {
    do {
      send(try OSCPacket.message(OSCMessage("/downbeat/get", [.string("pid")])).bytes())
    } catch {
      return false
    }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let prefix = Array("/property".utf8)
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&entry, 1, 100) > 0 {
      let count = unsafe recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      // Refused until the player listens.
      guard count > 0 else {
        usleep(100_000)
        return false
      }
      if buffer.starts(with: prefix), buffer[..<count].firstRange(of: Array("pid".utf8)) != nil {
        return true
      }
    }
    return false
  }
}
