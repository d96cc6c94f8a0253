// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import Glibc
import MusicalTime
import SoundStreaming

/// What it costs to play a stream.
enum StreamRun {
  /// Plays an address on an output that has no device, until its first frame is rendered.
  ///
  /// - Returns: the instant of that, in seconds of `CLOCK_MONOTONIC`, as Python's `time.monotonic()`.
  static func first(_ address: String) throws -> Double {
    let player = try StreamPlayer([.address(address)], rate: .hertz48000) { _ in }
    var graph = AudioGraph()
    try graph.setHead(graph.add(player.unit))
    let output = NullOutputUnit(format: AudioFormat(rate: .hertz48000))
    try output.start(graph.compile(), at: .zero)
    try player.unit.follow(output)
    player.start()
    while player.unit.position.played.frames == 0 { usleep(100) }
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    player.stop()
    output.stop(draining: false)
    player.unit.stopFollowing()
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Renders a stream as fast as it comes.
  ///
  /// - Returns: the bytes that the process keeps in memory after a quarter of the seconds, and at their
  ///   end.
  static func memory(_ address: String, seconds: Int) throws -> (early: Int, late: Int) {
    let player = try StreamPlayer([.address(address)], rate: .hertz48000) { _ in }
    var graph = AudioGraph()
    try graph.setHead(graph.add(player.unit))
    let plan = try graph.compile()
    player.start()
    var (frame, early) = (0, 0)
    while frame < seconds * 48_000 {
      guard player.unit.prime() >= AudioFormat.quantum else {
        usleep(200)
        continue
      }
      plan.render(at: SampleTime(frames: Int64(frame)))
      player.unit.deliver()
      frame += AudioFormat.quantum
      if early == 0, frame >= seconds * 12_000 { early = residentBytes() }
    }
    let late = residentBytes()
    player.stop()
    return (early, late)
  }

  private static func residentBytes() -> Int {
    guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard unsafe fgets(&line, 256, file) != nil else { return 0 }
    let bytes = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * Int(getpagesize()) : 0
  }
}
