// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioProcessing
import CAllocationCounter
import ClipPlayback
import Glibc
import MusicalTime
import TestSupport
import Testing

/// Damaged files, read into clips and by players, are refused or end, and NaN is never played.
///
/// Each batch runs in a separate process with limits on memory and time. A crash, a hang or
/// excessive memory ends that process and fails the test.
@Suite struct SoundFileFuzzTests {
  @Test(arguments: 0..<4)
  func `damaged files are refused or end`(batch: UInt64) async {
    await #expect(processExitsWith: .success) { [batch] in
      let counts = try SoundFileFuzz.runLimited(seed: batch)
      print(
        "fuzz batch \(batch): \(counts.opened) opened, \(counts.refused) refused,",
        "\(counts.clips) clips, \(counts.played) played")
      #expect(counts.refused > 0)
      #expect(counts.opened > 0)
      #expect(counts.clips > 0)
      #expect(counts.played > 0)
    }
  }
}

private struct SoundFileFuzz {
  struct Counts {
    var opened = 0
    var refused = 0
    var clips = 0
    var played = 0
  }

  private var random: SplitMix
  private let folder: ScratchFolder

  init(seed: UInt64) throws {
    random = SplitMix(seed: seed)
    folder = try ScratchFolder()
  }

  /// Runs with limits on the time and the memory of the process.
  static func runLimited(seed: UInt64) throws -> Counts {
    // A generous limit for a busy machine, which also ends a process that waits forever.
    alarm(6000)
    var seconds = rlimit(rlim_cur: 600, rlim_max: 600)
    unsafe setrlimit(__rlimit_resource_t(0), &seconds)
    var limit = rlimit(rlim_cur: 4 << 30, rlim_max: 4 << 30)
    let addressSpace = __rlimit_resource_t(9)
    // A sanitizer maps more memory than the limit.
    if callocationcounter_works() { _ = unsafe setrlimit(addressSpace, &limit) }
    return try SoundFileFuzz(seed: seed).run(
      rounds: unsafe getenv("DOWNBEAT_LONG") == nil ? 40 : 2000)
  }

  /// A number of rounds over one file of every kind.
  func run(rounds: Int) throws -> Counts {
    var copy = self
    var counts = Counts()
    for (index, format) in try formats().enumerated() {
      let sound = try copy.write(format, index)
      for _ in 0..<rounds {
        try folder.write(copy.damage(sound), to: "damaged")
        if copy.read(folder.path("damaged")) { counts.opened += 1 } else { counts.refused += 1 }
        if isClip(folder.path("damaged")) { counts.clips += 1 }
        if try plays(folder.path("damaged")) { counts.played += 1 }
      }
    }
    return counts
  }

  private func isClip(_ path: String) -> Bool {
    do {
      return try SystemSound(path: path, rate: .hertz48000).frameCount > 0
    } catch {
      return false
    }
  }

  /// Returns true if a player accepts the file, and plays all of it or the first tenth of a second.
  private func plays(_ path: String) throws -> Bool {
    let player = AudioPlayer(rate: .hertz48000)
    do { try player.append(path: path) } catch { return false }
    var graph = AudioGraph()
    try graph.setHead(graph.add(player))
    let plan = try graph.compile()
    player.start()
    for quantum in 0..<75 {
      player.fill()
      plan.render(at: SampleTime(frames: Int64(64 * quantum)))
      for frame in 0..<64 { #expect(plan.output[0, frame].isFinite) }
    }
    return true
  }

  private func formats() throws -> [SoundFileFormat] {
    try SoundFileFormat.Container.allCases.flatMap { container in
      try container.encodings.map { try SoundFileFormat(container, $0) }
    }
  }

  private func write(_ format: SoundFileFormat, _ index: Int) throws -> [UInt8] {
    var options = SoundFileWriter.Options()
    options.metadata.tags[.title] = "a title"
    options.metadata.markers = [.init(position: SampleTime(frames: 10), name: "m")]
    options.metadata.instrument = .init()
    options.metadata.broadcast = .init()
    guard let rate = SampleRate(hertz: 48_000) else { return [] }
    let writer = try SoundFileWriter(
      path: folder.path("\(index)"), format: format, channelCount: 1, rate: rate, options: options)
    let samples = (0..<2000).map { sin(Float($0) / 20) }
    try writer.write(samples.span)
    try writer.finish()
    return try folder.bytes("\(index)")
  }

  /// Changes bytes, most of them near the beginning; cuts, doubles or swaps pieces.
  private mutating func damage(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...random.next() % 6 {
      let reach = random.next() % 3 == 0 ? bytes.count : min(bytes.count, 200)
      guard reach > 8 else { break }
      let place = Int(random.next() % UInt64(reach - 4))
      switch random.next() % 6 {
      case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
      case 1: bytes[place] ^= 1 << UInt8(random.next() % 8)
      case 2: for step in 0..<4 { bytes[place + step] = random.next() % 2 == 0 ? 0xFF : 0 }
      case 3: bytes.removeSubrange(place..<min(bytes.count, place + Int(random.next() % 64)))
      case 4: bytes.removeLast(Int(random.next() % UInt64(bytes.count)))
      default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 16)], at: place)
      }
    }
    return bytes
  }

  /// Reads the whole file, sometimes at another rate and number of channels.
  private mutating func read(_ path: String) -> Bool {
    do {
      let reader = try SoundFileReader(path: path)
      var client = ClientFormat()
      if random.next() % 8 == 0 { client.rate = SampleRate(hertz: 44_100) }
      if random.next() % 8 == 0 { client.channelCount = 2 }
      do { try reader.setClient(client) } catch { return false }
      var frames = 0
      while frames < 20_000 {
        let samples = reader.read(Float.self, frameCount: 1000)
        if samples.isEmpty { break }
        frames += samples.count / reader.clientChannelCount
      }
      _ = reader.locate(to: SampleTime(frames: 100))
      _ = reader.read(Int16.self, frameCount: 100)
      return true
    } catch {
      return false
    }
  }
}
